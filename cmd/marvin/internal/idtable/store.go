package idtable

import (
	"errors"
	"os"
)

// memory holds the slots of a small table.
type memory []byte

func (m memory) ReadAt(into []byte, at int64) (int, error)  { return copy(into, m[at:]), nil }
func (m memory) WriteAt(from []byte, at int64) (int, error) { return copy(m[at:], from), nil }
func (m memory) Close() error                               { return nil }

// temporary is a private file.
type temporary struct {
	*os.File
	gone bool // it has no name any more
}

// Close removes the file too, where that was not possible before.
func (t temporary) Close() error {
	err := t.File.Close()
	if !t.gone {
		err = errors.Join(err, os.Remove(t.Name()))
	}
	return err
}
