package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Noter receives the changes to a profile's documents.
type Noter interface {
	Note(profile, document string, before, after []byte)
}

// Home locates the user's files. Without a home directory, reading finds nothing, and writing fails
// with [ErrNoHome]. A Home is safe for concurrent use, but State, Words, Data and Logs must not
// change after the first use.
type Home struct {
	User  string // the home directory; "" if unset
	State string // the directory of settings, keys and profiles; "" if there is no home
	Words string // the directory of the user's own AGENTS.md, skills and commands
	Data  string // the directory of the conversations; "" if conversations are not stored
	Logs  string // the directory of the log; ~/.local/state/marvin by default
	Now   func() time.Time

	mutexes mutexes
}

// ErrNoHome says that there is no home directory to store files in.
var ErrNoHome = errors.New("there is no home directory to store files in; set HOME to an existing directory")

// Open returns the [Home] of the user with the given home directory. It does not touch the disk.
func Open(home string, now func() time.Time) *Home {
	h := &Home{User: home, Now: now}
	if home != "" {
		h.State = filepath.Join(home, ".config", "marvin")
		h.Words = h.State
		h.Data = filepath.Join(home, ".local", "share", "marvin")
		h.Logs = filepath.Join(home, ".local", "state", "marvin")
	}
	return h
}

// Path returns the path of a file in the state directory. It returns "" if h.State is empty.
func (h *Home) Path(elements ...string) string {
	if h.State == "" {
		return ""
	}
	return filepath.Join(append([]string{h.State}, elements...)...)
}

// LogPath returns the path of a file in the log directory. It returns "" if h.Logs is empty.
func (h *Home) LogPath(name string) string {
	if h.Logs == "" {
		return ""
	}
	return filepath.Join(h.Logs, name)
}

// DataOf returns the directory KIND/ID below h.Data, such as the directory of a conversation's
// artifacts. It returns "" if h.Data is empty or the ID is not a plain name.
func (h *Home) DataOf(kind, id string) string {
	if h.Data == "" || !SingleElement(id) {
		return ""
	}
	return filepath.Join(h.Data, kind, id)
}

// Profile is the directory of one profile. It need not exist.
type Profile struct {
	Name string
	Dir  string // "" if there is no home

	Home  *Home
	Noted Noter // may be nil
}

// DefaultProfile is the profile of users who have not chosen one.
const DefaultProfile = "default"

// Profile returns the profile with the given name, which must be a single path element.
func (h *Home) Profile(name string) Profile {
	return Profile{Name: name, Dir: h.Path("profiles", name), Home: h}
}

func (p Profile) Path(name string) string {
	if p.Dir == "" {
		return ""
	}
	return filepath.Join(p.Dir, name)
}

// LastProfile returns the name of the profile used last, or [DefaultProfile] if that profile does
// not exist. If last_profile contains no name, LastProfile reads profiles/last_profile, which
// Marvin's TypeScript version wrote.
func (h *Home) LastProfile() (string, error) {
	for _, path := range []string{h.Path("last_profile"), h.Path("profiles", "last_profile")} {
		data, err := ReadWhole(path, 4<<10)
		if err != nil {
			return DefaultProfile, fmt.Errorf("read the last profile: %w", err)
		}
		name := strings.TrimSpace(string(data))
		if name == "" {
			continue
		}
		if !SingleElement(name) {
			return DefaultProfile, nil
		}
		if info, err := os.Stat(h.Path("profiles", name)); err == nil && info.IsDir() {
			return name, nil
		}
		return DefaultProfile, nil
	}
	return DefaultProfile, nil
}

func SingleElement(name string) bool {
	return filepath.IsLocal(name) && name != "." && !strings.ContainsAny(name, `/\`)
}

// MakeDir makes a directory and its missing parents. Only the owner can access them, regardless of
// the umask.
func MakeDir(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	err := os.Mkdir(path, 0o700)
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		if err := MakeDir(parent); err != nil {
			return err
		}
		err = os.Mkdir(path, 0o700) // in /proc, Mkdir always fails with ErrNotExist
	}
	switch {
	case err == nil:
		// The umask may have removed the owner's own permissions. Without the sync, a power cut
		// could lose the directory and everything in it.
		return errors.Join(os.Chmod(path, 0o700), SyncDir(filepath.Dir(path)))
	case errors.Is(err, fs.ErrExist):
		return nil
	}
	return err
}

// Note calls the profile's [Noter], if there is one.
func (p Profile) Note(document string, before, after []byte) {
	if p.Noted != nil {
		p.Noted.Note(p.Name, document, before, after)
	}
}

// ChangeReporter returns a function that reports changes to one document. If the profile has no
// [Noter], the function is nil.
func (p Profile) ChangeReporter(document string) func(before, after []byte) {
	if p.Noted == nil {
		return nil
	}
	return func(before, after []byte) { p.Noted.Note(p.Name, document, before, after) }
}
