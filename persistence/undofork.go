package persistence

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// CopyUndo gives a conversation that goes on with another one, both by their IDs, what is
// kept of that one up to a time, so that both can take it back. What either takes back later,
// the other finds changed, and says so. Contents are not copied but linked: none of them
// ever changes.
func (s Sessions) CopyUndo(from, to string, until time.Time) error {
	source, copied := s.home.Undo(from), s.home.Undo(to)
	if source.dir == "" || copied.dir == "" {
		return nil
	}
	records, err := source.Records()
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	kept := map[int64]bool{}
	for _, record := range records {
		if !belongs(record, until, kept) {
			continue
		}
		kept[record.ID] = true
		line, encodeErr := encodeValue(record)
		err = errors.Join(err, encodeErr, copied.link(source, record.Before))
		lines.Write(append(line, '\n'))
	}
	if len(kept) > 0 {
		err = errors.Join(err, copied.append(lines.Bytes()))
	}
	return err
}

// belongs says whether a record is of what a copy holds: what was done until then, and what
// became of that since.
func belongs(record UndoRecord, until time.Time, kept map[int64]bool) bool {
	for _, of := range record.Of {
		if !kept[of] {
			return false
		}
	}
	return len(record.Of) > 0 || !record.At.After(until)
}

// link makes a content of another conversation one of this.
func (u *Undo) link(from *Undo, hash string) error {
	if hash == "" {
		return nil
	}
	if err := makeDir(filepath.Dir(u.image(hash))); err != nil {
		return err
	}
	err := os.Link(from.image(hash), u.image(hash))
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) { // a content that had to go is told as gone
		return nil
	}
	if err != nil { // a file system without links
		content, readErr := from.Content(hash)
		if readErr != nil {
			return nil //nolint:nilerr // it is told as gone
		}
		return u.store(hash, content)
	}
	return nil
}
