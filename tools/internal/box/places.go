package box

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// Places are absolute paths, of files and of trees, in which nothing is written whatever
// directory is open. They need not exist.
type Places []string

// guardedPlace is one of them as it is on the disk now.
type guardedPlace struct {
	name  string      // as it was given, for people
	parts []string    // its path without links, as far as it exists
	info  fs.FileInfo // nil if there is nothing
}

// guarded are the places that an open directory does not write to.
type guarded struct {
	places Places
	looked sync.Once
	found  []guardedPlace
}

// now finds out what the places are, once for an open directory: some of them are links
// into a repository of dotfiles.
func (g *guarded) now() []guardedPlace {
	g.looked.Do(func() { g.found = g.places.look() })
	return g.found
}

func (p Places) look() []guardedPlace {
	var found []guardedPlace
	for _, name := range p {
		info, _ := os.Stat(name) // what does not exist is guarded by its name
		found = append(found, guardedPlace{name: name, parts: split(resolved(name)), info: info})
	}
	return found
}

// resolved is a path without links as far as it exists.
func resolved(name string) string {
	for above, rest := filepath.Clean(name), ""; ; {
		if real, err := filepath.EvalSymlinks(above); err == nil {
			return filepath.Join(real, rest)
		}
		if above == filepath.Dir(above) {
			return name
		}
		above, rest = filepath.Dir(above), filepath.Join(filepath.Base(above), rest)
	}
}

// check refuses to write what a guarded place is or holds, by its real path and by what
// it is: another name of the same file is the same file.
func (g *guarded) check(name, real string) error {
	if len(g.places) == 0 {
		return nil
	}
	parts, chain := split(real), lineage(real)
	for _, place := range g.now() {
		if !startsWith(parts, place.parts) && !place.among(chain) {
			continue
		}
		return &Refusal{
			Err:  fmt.Errorf("%s is %w: it is %s or belongs to it, which decides what programs do outside of the project", quoteName(name), ErrProtected, quoteName(place.name)),
			Next: "File tools never write there: what is to change is written out and changed by hand.",
		}
	}
	return nil
}

// startsWith says whether a path is at or below another, on any kind of file system.
func startsWith(parts, above []string) bool {
	if len(above) == 0 || len(parts) < len(above) {
		return false
	}
	for i := range above {
		if parts[i] != above[i] && !sameName(parts[i], above[i]) {
			return false
		}
	}
	return true
}

func (g guardedPlace) among(chain []fs.FileInfo) bool {
	for _, info := range chain {
		if g.info != nil && os.SameFile(g.info, info) {
			return true
		}
	}
	return false
}

// lineage is what there is of a path and of the directories above it.
func lineage(real string) []fs.FileInfo {
	var chain []fs.FileInfo
	for ; ; real = filepath.Dir(real) {
		if info, err := os.Lstat(real); err == nil {
			chain = append(chain, info)
		}
		if real == filepath.Dir(real) {
			return chain
		}
	}
}

// checkRepository refuses to write into a repository that is not called .git, and to make
// one: git obeys the configuration and the hooks of any directory with HEAD, objects and
// refs in it.
func (d *Dir) checkRepository(name string, at found) error {
	within := inRepository(d.real)
	for i := range at.parts {
		above := strings.Join(at.parts[:i], "/")
		has := func(mark string) bool {
			if strings.EqualFold(mark, at.parts[i]) {
				return true // it is made by this
			}
			_, err := d.root.Lstat(path.Join(above, mark))
			return err == nil
		}
		if within || repositoryMarks(has) {
			return &Refusal{
				Err:  fmt.Errorf("%s is %w: a directory with HEAD, objects and refs is a git repository, whose files git obeys", quoteName(name), ErrProtected),
				Next: "Use the git tools, or have it changed by hand.",
			}
		}
	}
	return nil
}

// inRepository says whether a directory is, or lies in, what git keeps of a repository.
func inRepository(real string) bool {
	for ; ; real = filepath.Dir(real) {
		has := func(mark string) bool { _, err := os.Lstat(filepath.Join(real, mark)); return err == nil }
		if sameName(filepath.Base(real), ".git") || repositoryMarks(has) {
			return true
		}
		if real == filepath.Dir(real) {
			return false
		}
	}
}

func repositoryMarks(has func(mark string) bool) bool {
	return has("HEAD") && has("objects") && has("refs")
}
