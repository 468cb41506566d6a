package projects

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"marvin/persistence/internal/store"
)

// Store stores a user's [Project] entries, keyed by directory.
type Store struct{ home *store.Home }

// New returns the store for one user.
func New(h *store.Home) Store { return Store{h} }

// Project describes which of a directory's files the user has seen or allowed. The maps contain the
// [Text.Hash] of each file, keyed by the file's name.
type Project struct {
	Named  map[string]string `json:"named,omitempty"`  // files that Marvin has shown to the user
	Used   map[string]string `json:"used,omitempty"`   // content that the user allows the model to read
	Always bool              `json:"always,omitempty"` // the user trusts all versions of all files
	Seen   string            `json:"seen"`             // the day of the last change
}

type projects struct {
	Directories map[string]Project `json:"directories"` // by real path
}

// projectLimit is the maximum number of directories in each of projects.json and choices.json. The
// limit keeps both files small, because Marvin reads them at each start.
const projectLimit = 200

// Hash returns the SHA-256 hash of t.Text in hexadecimal.
func (t Text) Hash() string {
	if t.Sum != "" {
		return t.Sum
	}
	sum := sha256.Sum256([]byte(t.Text))
	return hex.EncodeToString(sum[:])
}

// RealDir resolves the symbolic links in an absolute path, so that all paths to a directory have
// the same result. If dir is "" or cannot be resolved, RealDir returns dir unchanged.
func RealDir(dir string) string {
	if dir == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

func (p Store) document() store.Document[projects] {
	return store.Document[projects]{Home: p.home, Path: p.home.Path("projects.json"), Survives: store.Durable}
}

// Get returns the entry for a directory, or the zero value if there is none.
func (p Store) Get(dir string) (Project, error) {
	known, err := p.document().Load()
	if err != nil {
		return Project{}, fmt.Errorf("read the known project files: %w", err)
	}
	return known.Directories[RealDir(dir)], nil
}

// Change updates the entry for a directory. The callback receives an entry whose maps are not nil.
func (p Store) Change(dir string, change func(*Project)) error {
	return p.document().Change(func(all *projects) error {
		if all.Directories == nil {
			all.Directories = map[string]Project{}
		}
		old := all.Directories[RealDir(dir)]
		project := Project{Named: copied(old.Named), Used: copied(old.Used), Always: old.Always, Seen: old.Seen}
		change(&project)
		if maps.Equal(project.Named, old.Named) && maps.Equal(project.Used, old.Used) && project.Always == old.Always {
			return store.ErrUnchanged
		}
		project.Seen = p.home.Now().Format("2006-01-02")
		all.Directories[RealDir(dir)] = project
		forget(all.Directories, func(one Project) string { return one.Seen })
		return nil
	})
}

func copied(from map[string]string) map[string]string {
	to := maps.Clone(from)
	if to == nil {
		to = map[string]string{}
	}
	return to
}

// forget deletes the least recently changed entries beyond projectLimit. The callback returns the
// date of an entry's last change.
func forget[T any](all map[string]T, day func(T) string) {
	oldest := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(day(all[a]), day(all[b])), cmp.Compare(a, b))
	})
	for _, dir := range oldest[:max(len(all)-projectLimit, 0)] {
		delete(all, dir)
	}
}
