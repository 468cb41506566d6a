package schedules

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence"
)

const (
	mostRuns    = 50      // per entry
	mostEntries = 200     // per user
	mostText    = 8 << 10 // bytes per text field of a Run
)

// Store manages one user's schedules. It is safe for concurrent use, even by several processes.
type Store struct{ Home *persistence.Home }

// ErrNone reports that no entry has the given id.
var ErrNone = errors.New("no such schedule or watch")

// Dir returns the directory of the entries' files, or "" if s.Home.Data is empty.
func (s Store) Dir() string {
	if s.Home.Data == "" {
		return ""
	}
	return filepath.Join(s.Home.Data, "schedules")
}

func (s Store) path(id string) (string, error) {
	switch {
	case s.Dir() == "":
		return "", persistence.ErrNoHome
	case id == "" || len(id) > 40 || strings.ContainsFunc(id, func(r rune) bool { return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') }):
		return "", fmt.Errorf("%w: %q", ErrNone, id)
	}
	return filepath.Join(s.Dir(), id+".json"), nil
}

// All returns the entries, sorted by the time at which they are due next. If an entry cannot be
// read, the result contains the other entries, and the error is not nil.
func (s Store) All() (all []Entry, err error) {
	if s.Dir() == "" {
		return nil, nil
	}
	files, failed := os.ReadDir(s.Dir())
	if failed != nil && !errors.Is(failed, fs.ErrNotExist) {
		return nil, failed
	}
	for _, file := range files {
		id, is := strings.CutSuffix(file.Name(), ".json")
		if !is || strings.HasPrefix(id, ".") {
			continue
		}
		entry, failed := s.Get(id)
		if failed == nil {
			all = append(all, entry)
		} else if !errors.Is(failed, ErrNone) { // an entry that was just removed is not an error
			err = errors.Join(err, failed)
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		if a.Next.IsZero() != b.Next.IsZero() {
			if a.Next.IsZero() {
				return 1
			}
			return -1
		}
		return a.Next.Compare(b.Next)
	})
	return all, err
}

// Get reads one entry.
func (s Store) Get(id string) (entry Entry, err error) {
	path, err := s.path(id)
	if err != nil {
		return entry, err
	}
	text, err := persistence.ReadText(path)
	if err != nil {
		return entry, fmt.Errorf("%w; %s", err, removeIt(id))
	}
	return decode(path, id, text)
}

func decode(path, id, text string) (entry Entry, err error) {
	if text == "" {
		return entry, fmt.Errorf("%w: %s", ErrNone, id)
	}
	if err := json.Unmarshal([]byte(text), &entry); err != nil {
		return entry, &persistence.DamagedError{Path: path, Err: fmt.Errorf("%w; correct it, or %s", err, removeIt(id))}
	}
	entry.ID = id // the id is always the file's name
	return entry, nil
}

// removeIt returns advice for removing an unreadable entry.
func removeIt(id string) string {
	command := "schedule"
	if strings.HasPrefix(id, "w-") {
		command = "watch"
	}
	return "remove it with marvin " + command + " rm " + id
}

func encode(entry Entry) (string, error) {
	entry.Runs = entry.Runs[max(0, len(entry.Runs)-mostRuns):]
	for i := range entry.Runs {
		run := &entry.Runs[i]
		run.Text, run.Old, run.New, run.Error = clip(run.Text), clip(run.Old), clip(run.New), clip(run.Error)
	}
	data, err := json.MarshalIndent(entry, "", "  ")
	return string(data) + "\n", err
}

func clip(text string) string {
	if len(text) <= mostText {
		return text
	}
	return strings.ToValidUTF8(text[:mostText], "") + "…"
}

// Add stores a new entry and sets its id.
func (s Store) Add(entry Entry) (Entry, error) {
	kind := "s-"
	if entry.Watch != nil {
		kind = "w-"
	}
	if all, _ := s.All(); len(all) >= mostEntries {
		return entry, fmt.Errorf("there are %d schedules and watches already, which is the limit; remove one with marvin schedule rm ID", len(all))
	}
	entry.ID = kind + strings.ToLower(rand.Text()[:6])
	path, err := s.path(entry.ID)
	if err != nil {
		return entry, err
	}
	return entry, persistence.ChangeText(s.Home, path, func(before string) (string, error) {
		if before != "" {
			return "", fmt.Errorf("%s exists already; try again", path)
		}
		return encode(entry)
	})
}

// Change edits an entry. Concurrent changes are applied one after the other.
func (s Store) Change(id string, change func(*Entry) error) (entry Entry, err error) {
	path, err := s.path(id)
	if err != nil {
		return entry, err
	}
	err = persistence.ChangeText(s.Home, path, func(before string) (string, error) {
		if entry, err = decode(path, id, before); err != nil {
			return "", err
		}
		if err := change(&entry); err != nil {
			return "", err
		}
		return encode(entry)
	})
	return entry, err
}

// Remove removes an entry and its history.
func (s Store) Remove(id string) (entry Entry, err error) {
	path, err := s.path(id)
	if err != nil {
		return entry, err
	}
	return entry, persistence.ChangeText(s.Home, path, func(before string) (string, error) {
		entry, err = decode(path, id, before)
		return "", err
	})
}

// RemoveDamaged removes the file of an entry if the file cannot be read.
func (s Store) RemoveDamaged(id string) (gone bool, err error) {
	path, err := s.path(id)
	if err != nil {
		return false, nil //nolint:nilerr // an invalid id has no file
	}
	if _, err := s.Get(id); err == nil {
		return false, nil
	}
	if _, err := os.Lstat(path); err != nil {
		return false, nil //nolint:nilerr // there is no such file
	}
	return true, os.Remove(path)
}

// Hold tries to lock an entry for a run, without waiting. If another process has the lock, held is
// false.
func (s Store) Hold(id string) (release func() error, held bool, err error) {
	path, err := s.path(id)
	if err != nil {
		return nil, false, err
	}
	return persistence.Hold(s.Home, path+".run")
}
