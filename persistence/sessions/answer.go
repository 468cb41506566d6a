package sessions

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"marvin/persistence/internal/store"
)

// answersDir is a subdirectory of the sessions directory. Single answers are stored one level
// deeper than sessions, so lists of sessions do not include single answers.
const answersDir = ".answers"

// mostAnswers is the maximum number of single answers that are kept for each directory.
const mostAnswers = 4

// Answers returns the store for the answers of "marvin -n". A power cut can destroy these answers.
// The store retains only the last few answers for each working directory.
func (s Store) Answers() Store {
	if s.dir == "" {
		return s
	}
	return Store{dir: filepath.Join(s.dir, answersDir), home: s.home, passing: true}
}

// Adopt turns a single answer into a session that the user can continue.
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

// dropOld removes finished single answers except the last few.
func (s Store) dropOld(project string) error {
	files := s.filesOf(project)
	written := map[string]int64{} // modification times, because ids contain only whole seconds
	for _, file := range files {
		if info, err := os.Stat(file.path()); err == nil {
			written[file.name] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(files, func(a, b sessionFile) int { return cmp.Compare(written[b.name], written[a.name]) })
	var problems []error
	for _, file := range files[min(len(files), mostAnswers):] {
		session := &Session{sessions: s, path: file.path(), header: Header{ID: file.id()}}
		if session.claimWithin(0) != nil {
			continue // another process is using the answer; dozens of runs can share a directory
		}
		problems = append(problems, os.Remove(file.path()), session.lock.Close(), store.RemoveIfThere(store.HiddenBeside(file.path(), ".lock")))
	}
	return errors.Join(problems...)
}
