package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"marvin/persistence/artifacts"
	"marvin/persistence/internal/store"
	"marvin/persistence/undolog"
)

// indexPatience is the maximum time that a process waits for the lock of the index.
const indexPatience = 2 * time.Second

// NameTakenError reports that another session already has the name.
type NameTakenError struct{ Name, By string }

func (e *NameTakenError) Error() string {
	return fmt.Sprintf("conversation %s already has the name %q; every name belongs to one conversation", e.By, e.Name)
}

// Rename sets the name and the title of a session. If name or title is empty, the old value stays.
// The error is a [NameTakenError] if another session has the name, and a [BusyError] if the
// session is in use.
func (s Store) Rename(id, name, title string) (err error) {
	if name != "" { // the lock prevents two processes from taking the same name
		_, unlock, busy := s.home.LockFile(s.indexPath(), indexPatience)
		if busy != nil {
			return fmt.Errorf("rename the conversation: %w", busy)
		}
		defer func() { err = errors.Join(err, unlock()) }()
		list, _ := s.List() // an unreadable session has no known name
		for _, info := range list {
			if info.Name == name && info.ID != id {
				return &NameTakenError{Name: name, By: info.ID}
			}
		}
	}
	session, err := s.Open(id)
	if err != nil {
		return err
	}
	called := Entry{Kind: TitleEntry, About: &About{Name: name, Title: title}, Body: json.RawMessage("{}")}
	return errors.Join(session.Append(true, called), session.Close())
}

// Remove deletes sessions, even damaged ones, and removes their index entries. If a session is in
// use, the error contains a [BusyError], and Remove continues with the rest. Remove returns the ids
// of the deleted sessions.
func (s Store) Remove(ids ...string) (removed []string, err error) {
	var problems []error
	for _, id := range ids {
		if err := s.remove(id); err != nil {
			problems = append(problems, err)
			continue
		}
		removed = append(removed, id)
	}
	if len(removed) > 0 { // the index contains words from the deleted sessions
		// The next call of s.List reads every session that is missing from this result.
		list, _ := s.List()
		problems = append(problems, s.rewriteIndex(list, indexPatience))
		problems = append(problems, forgetWords(s, list))
	}
	return removed, errors.Join(problems...)
}

func (s Store) remove(id string) error {
	path, err := s.path(id)
	if err != nil {
		return err
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("remove the conversation: %s is not one of Marvin's files", path)
	}
	session := &Session{sessions: s, path: path, header: Header{ID: id}}
	if err := session.claim(); err != nil {
		return err
	}
	return errors.Join(os.Remove(path), store.RemoveIfThere(oldWords(path)), undolog.Forget(s.home, id), artifacts.Forget(s.home, id), session.lock.Close(), store.RemoveIfThere(store.HiddenBeside(path, ".lock")))
}

// Exists reports whether the store has a file with the given ID. It does not read the file.
func (s Store) Exists(id string) bool {
	_, err := s.path(id)
	return err == nil
}
