package store

// Rewrite locks and reads a file, and writes the content that the callback returns. If the callback
// fails or returns nil content, nothing is written. If the callback reports that the old content is
// unreadable, Rewrite keeps the old content under another name; see [Home.Renew].
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
