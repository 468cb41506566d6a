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

// Noter gets the changes of a profile's documents.
type Noter interface {
	Note(profile, document string, before, after []byte)
}

// Home is where the user's files are. Without a home directory reads find nothing
// and writes fail with [ErrNoHome]. It is safe for concurrent use.
type Home struct {
	User  string           // the home directory; "" if unset
	State string           // Marvin's own directory: settings, keys, profiles; "" if there is no home. These four may be changed before the first use
	Words string           // what the user wrote for Marvin: AGENTS.md, skills, commands
	Data  string           // where conversations are kept; "" for nowhere
	Logs  string           // where the log is, ~/.local/state/marvin
	Now   func() time.Time // for times that are stored

	mutexes mutexes
}

// ErrNoHome is why nothing can be stored.
var ErrNoHome = errors.New("there is no home directory to store files in; set HOME to an existing directory")

// Open gives the files of the user whose home directory is home. It touches
// nothing on disk.
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

// Path is a file in the state directory, "" without one.
func (h *Home) Path(elements ...string) string {
	if h.State == "" {
		return ""
	}
	return filepath.Join(append([]string{h.State}, elements...)...)
}

// log is a file beside the log, "" if there is no home.
func (h *Home) LogPath(name string) string {
	if h.Logs == "" {
		return ""
	}
	return filepath.Join(h.Logs, name)
}

// Profile is one person's directory. It need not exist.
type Profile struct {
	Name string
	Dir  string // "" if there is no home

	Home  *Home
	Noted Noter // gets the next change; may be nil
}

// DefaultProfile is the profile of those who never chose one.
const DefaultProfile = "default"

// Profile gives the profile called name. The name must be a single path element,
// as [Home.LastProfile] returns it.
func (h *Home) Profile(name string) Profile {
	return Profile{Name: name, Dir: h.Path("profiles", name), Home: h}
}

func (p Profile) Path(name string) string {
	if p.Dir == "" {
		return ""
	}
	return filepath.Join(p.Dir, name)
}

// LastProfile is the name of the profile used last. A name without a directory,
// or one that would lead out of the profiles, is [DefaultProfile]. The TypeScript
// Marvin kept the file in profiles/, where it is looked for second.
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

// MakeDir makes a directory and its missing parents, private whatever the umask.
func MakeDir(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	err := os.Mkdir(path, 0o700)
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		if err := MakeDir(parent); err != nil {
			return err
		}
		err = os.Mkdir(path, 0o700) // below /proc it is "not there" once more
	}
	switch {
	case err == nil:
		// The umask may have taken away our own bits. The name is synced here, because what
		// is synced below it is nowhere if a power cut takes the directory.
		return errors.Join(os.Chmod(path, 0o700), SyncDir(filepath.Dir(path)))
	case errors.Is(err, fs.ErrExist):
		return nil
	}
	return err
}

// Note reports a change of one document.
func (p Profile) Note(document string, before, after []byte) {
	if p.Noted != nil {
		p.Noted.Note(p.Name, document, before, after)
	}
}

// Noting reports changes of one document; nil if nobody wants them.
func (p Profile) Noting(document string) func(before, after []byte) {
	if p.Noted == nil {
		return nil
	}
	return func(before, after []byte) { p.Noted.Note(p.Name, document, before, after) }
}
