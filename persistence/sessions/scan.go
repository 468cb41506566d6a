package sessions

import (
	"os"

	"marvin/persistence/internal/store"
)

// Scan calls visit for the entries of a session, newest first and on any branch, until visit
// returns false. Lines are decoded only if wants(line) is true, because checking the bytes of a
// line is faster than decoding it.
func (s Store) Scan(info Info, wants func(line []byte) bool, visit func(Entry) (more bool)) error {
	file, size, err := store.OpenRegular(os.OpenFile, info.Path)
	if file == nil {
		return err // the session was removed since it was listed
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

// Lines visits the lines of a session that look like entries, newest first and on any branch, until
// visit returns false. The function visit receives the id of the entry, the id of the parent, and
// the line. The lines are not decoded, because decoding a line takes longer than scanning it.
func (s Store) Lines(id string, visit func(entry, parent int64, line []byte) (more bool)) error {
	path, err := s.path(id)
	if err != nil {
		return err
	}
	file, _, err := store.OpenRegular(os.OpenFile, path)
	if file == nil {
		return err // the session was removed since it was listed
	}
	defer file.Close()
	return entriesBackwards(file, func(entry, parent int64, line []byte) (bool, error) { return visit(entry, parent, line), nil })
}
