package undolog

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"marvin/persistence/internal/store"
)

// Copy copies the undo data of a conversation to the continuation of that conversation. Copy omits
// changes made after cutoff. The undo of a copied change is copied too, even if the undo was made
// after cutoff. If one conversation undoes a copied change, the other conversation reports that the
// file changed. Stored contents never change, so Copy hard-links them if possible.
func Copy(h *store.Home, from, to string, cutoff time.Time) error {
	source, copied := Of(h, from), Of(h, to)
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
		if !belongs(record, cutoff, kept) {
			continue
		}
		kept[record.ID] = true
		line, encodeErr := store.EncodeValue(record)
		err = errors.Join(err, encodeErr, copied.link(source, record.Before))
		lines.Write(append(line, '\n'))
	}
	if len(kept) > 0 {
		err = errors.Join(err, copied.append(lines.Bytes()))
	}
	return err
}

// belongs is true if [Copy] includes a record. A record with an empty Of must not be newer than
// cutoff. For any other record, all records in Of must have been copied.
func belongs(record Record, cutoff time.Time, kept map[int64]bool) bool {
	for _, of := range record.Of {
		if !kept[of] {
			return false
		}
	}
	return len(record.Of) > 0 || !record.At.After(cutoff)
}

// link adds content from another journal, as a hard link if possible.
func (u *Journal) link(from *Journal, hash string) error {
	if hash == "" {
		return nil
	}
	if err := store.MakeDir(filepath.Dir(u.image(hash))); err != nil {
		return err
	}
	err := os.Link(from.image(hash), u.image(hash))
	// Ignore missing content, because undo reports the problem later.
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil { // for example, the file system does not support hard links
		content, readErr := from.Content(hash)
		if readErr != nil {
			return nil //nolint:nilerr // undo reports it
		}
		return u.store(hash, content)
	}
	return nil
}
