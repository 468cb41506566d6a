package store

// Rewrite locks, reads, changes and replaces a whole file. A callback makes the change. If the
// callback fails or returns nil as the new content, nothing is written. If the callback cannot
// parse the old content, its second result is the reason. Rewrite then writes the new content and
// keeps the old content under another name; see [Home.Renew].
func (h *Home) Rewrite(name string, change func(data []byte) (changed []byte, unreadable, err error)) error {
	return h.WithLock(name, func(path string) error {
		data, err := ReadWhole(path, DocumentLimit)
		if err != nil {
			return err // the content of an unreadable file must not be lost
		}
		changed, unreadable, err := change(data)
		if err != nil || changed == nil {
			return err
		}
		if unreadable != nil {
			return h.Renew(path, unreadable, changed, Lasting)
		}
		return Replace(path, changed, Lasting)
	})
}

// Write replaces a whole file under its lock.
func (h *Home) Write(name string, data []byte, survives durability) error {
	return h.WithLock(name, func(path string) error { return Replace(path, data, survives) })
}
