package persistence

import "errors"

// rewrite changes a file as a whole: lock, re-read, change, replace. Unreadable is
// why the old content means nothing, which is then set aside. If change fails, or
// gives nothing, nothing is written.
func (h *Home) rewrite(name string, change func(data []byte) (changed []byte, unreadable, err error)) (err error) {
	path, unlock, err := h.lockFile(name, lockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	data, err := readWhole(path, documentLimit)
	if err != nil {
		return err // unreadable is not empty: what is there stays
	}
	changed, unreadable, err := change(data)
	if err != nil || changed == nil {
		return err
	}
	var damage error
	if unreadable != nil {
		if damage, err = h.setAside(path, unreadable); err != nil {
			return err
		}
	}
	if err := replace(path, changed, lasting); err != nil {
		return errors.Join(err, unlessNil(damage))
	}
	return damage
}

// unlessNil keeps what an error says, but not that it is a [DamagedError], which
// would mean that the change was made.
func unlessNil(damage error) error {
	if damage == nil {
		return nil
	}
	return errors.New(damage.Error())
}
