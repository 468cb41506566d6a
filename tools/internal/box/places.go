package box

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"marvin/tools/internal/protected"
)

// Guard prevents one tool call from writing to protected places. The zero value protects nothing.
type Guard struct {
	// Data returns the data from which the protected places are computed. It is called once, before
	// the first write.
	Data func() protected.Locations
	// Allowed contains the resolved paths of protected files that the tool call is permitted to
	// write.
	Allowed []string
}

// guardOnDisk is a Guard that reads the state of the disk once, before the first write.
type guardOnDisk struct {
	Guard
	looked sync.Once
	disk   *protected.Disk
}

// check returns an error for a path that is, or is inside, a protected place. Besides real paths,
// it compares file identities, because one file can have several names.
func (g *guardOnDisk) check(name, real string) error {
	if g.Data == nil {
		return nil
	}
	g.looked.Do(func() { g.disk = g.Data().Look() })
	place, found := g.disk.PlaceOf(real)
	switch {
	case !found, place.Row.Write == protected.Asked && slices.Contains(g.Allowed, real):
		return nil
	case place.Row.Write == protected.Asked:
		return &Refusal{
			Err:  fmt.Errorf("%s is %w, because it is, or is inside, %s (%s); %s", quoteName(name), ErrProtected, quoteName(place.Path), place.Row.What, place.Row.Why),
			Next: "Only create_file, append_file and apply_patch may write this file, and only if the user agrees or one of the user's rules names it.",
		}
	}
	return &Refusal{
		Err:  fmt.Errorf("%s is %w, because it is, or is inside, %s (%s); %s", quoteName(name), ErrProtected, quoteName(place.Path), place.Row.What, place.Row.Why),
		Next: "File tools never write there. Print the change, and let the user make it by hand.",
	}
}

// checkRepository returns an error if a write would change or create a git directory. Git obeys the
// configuration and hooks in any directory that contains HEAD, objects and refs.
func (d *Dir) checkRepository(name string, at found) error {
	within := inRepository(d.real)
	for i := range at.parts {
		above := strings.Join(at.parts[:i], "/")
		has := func(mark string) bool {
			if strings.EqualFold(mark, at.parts[i]) {
				return true // the write itself would create this entry
			}
			_, err := d.root.Lstat(path.Join(above, mark))
			return err == nil
		}
		if within || repositoryMarks(has) {
			return &Refusal{
				Err:  fmt.Errorf("%s is %w: git treats a directory with HEAD, objects and refs as a repository, and obeys the files in it", quoteName(name), ErrProtected),
				Next: "Use the git tools, or let the user change it by hand.",
			}
		}
	}
	return nil
}

// inRepository reports whether a directory is a git directory or lies in one.
func inRepository(real string) bool {
	for ; ; real = filepath.Dir(real) {
		has := func(mark string) bool { _, err := os.Lstat(filepath.Join(real, mark)); return err == nil }
		if protected.SameName(filepath.Base(real), ".git") || repositoryMarks(has) {
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
