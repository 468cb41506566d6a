package sessions

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"marvin/persistence/internal/store"
)

// answersDir is a directory of the sessions' one. No list looks into it: its name is no project's.
const answersDir = ".answers"

// mostAnswers is how many runs for one answer are kept of a directory.
const mostAnswers = 4

// Answers are the last runs for one answer of each directory. No list has them, and a power cut
// may take them. [Store.Adopt] makes a session of one.
func (s Store) Answers() Store {
	if s.dir == "" {
		return s
	}
	return Store{dir: filepath.Join(s.dir, answersDir), home: s.home, passing: true}
}

// Adopt moves a run for one answer to the sessions, so that it can be continued.
func (s Store) Adopt(id string) error {
	answers := s.Answers()
	from, err := answers.path(id)
	if err != nil {
		return err
	}
	if answers.Busy(id) {
		return &BusyError{ID: id}
	}
	to := filepath.Join(s.dir, filepath.Base(filepath.Dir(from)))
	if err := store.MakeDir(to); err != nil {
		return err
	}
	return errors.Join(os.Rename(from, filepath.Join(to, filepath.Base(from))), store.RemoveIfThere(store.HiddenBeside(from, ".lock")))
}

// dropOld removes the runs that are older than the last ones and that have ended.
func (s Store) dropOld(project string) error {
	files := s.filesOf(project)
	written := map[string]int64{} // ids of one second are in no order
	for _, file := range files {
		if info, err := os.Stat(file.path()); err == nil {
			written[file.name] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(files, func(a, b sessionFile) int { return cmp.Compare(written[b.name], written[a.name]) })
	var problems []error
	for _, file := range files[min(len(files), mostAnswers):] {
		session := &Session{sessions: s, path: file.path(), header: Header{ID: file.id()}}
		if session.claim() != nil {
			continue // it still runs
		}
		problems = append(problems, os.Remove(file.path()), session.lock.Close(), store.RemoveIfThere(store.HiddenBeside(file.path(), ".lock")))
	}
	return errors.Join(problems...)
}
