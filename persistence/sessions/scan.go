package sessions

import (
	"os"

	"marvin/persistence/internal/store"
)

// Scan calls visit for the entries of all branches, newest first, until visit returns false. It
// decodes only the lines for which wants(line) is true.
func (s Store) Scan(info Info, wants func(line []byte) bool, visit func(Entry) (more bool)) error {
	file, size, err := store.OpenRegular(os.OpenFile, info.Path)
	if file == nil {
		return err // err is nil if the file no longer exists
	}
	defer file.Close()
	return eachLineBackwards(file, size, func(line []byte) (bool, error) {
		if !wants(line) {
			return true, nil
		}
		entry, ok := decodeEntry(line)
		return !ok || entry.ID <= 0 || visit(entry), nil
	})
}

// Lines reads the file of a session backwards and calls visit for each line that looks like an
// entry, until visit returns false. The entries of all branches are included. The arguments of
// visit are the id of the entry, the id of its parent, and the line. The line is not decoded,
// because decoding takes longer than scanning.
func (s Store) Lines(id string, visit func(entry, parent int64, line []byte) (more bool)) error {
	path, err := s.path(id)
	if err != nil {
		return err
	}
	file, _, err := store.OpenRegular(os.OpenFile, path)
	if file == nil {
		return err // err is nil if the file no longer exists
	}
	defer file.Close()
	return entriesBackwards(file, func(entry, parent int64, line []byte) (bool, error) { return visit(entry, parent, line), nil })
}
