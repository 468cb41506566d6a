package jail

import (
	"os"
	"path/filepath"
	"slices"
)

// protect makes a path read-only where a command could change it, and has it made while
// it does not exist: a file with some content, or a directory where that is "". The name
// is held as well as what it leads to: of each symbolic link on the way that lies where
// commands write, the link itself; of each directory there, that it stays where it is.
func (j *Jail) protect(path, content string) {
	names, _ := passed(path) // a way that leads in circles is held as far as it goes
	for i, name := range names {
		if !j.reaches(name) {
			continue
		}
		info, err := os.Lstat(name)
		last := i == len(names)-1
		switch {
		case err != nil && !last: // below it nothing can be made
			j.keepAbsent(absence{path: name})
			return
		case err != nil || last && (saysNothing(name, content) || isRest(name)):
			j.keepAbsent(absence{path: name, content: content})
		case info.Mode()&os.ModeSymlink != 0:
			add(&j.plan.Links, name)
		case last:
			add(&j.plan.Protect, name)
		default:
			add(&j.plan.Pin, name)
		}
	}
}

// keepAbsent protects what is only there while commands run.
func (j *Jail) keepAbsent(one absence) {
	add(&j.plan.Protect, one.path)
	if !slices.Contains(j.absent, one) {
		j.absent = append(j.absent, one)
	}
}

// reaches says whether a command could rename, remove or replace what has this name: it
// lies below a tree that commands write to.
func (j *Jail) reaches(name string) bool {
	return slices.ContainsFunc(j.plan.Write, func(tree string) bool { return name != tree && within(name, tree) })
}

// saysNothing tells what was made for an absent name, perhaps by a Marvin that was
// killed, from what somebody has there. Directories that are empty may be somebody's.
func saysNothing(path, content string) bool {
	if content == "" {
		return false
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(content)) {
		return false
	}
	now, err := os.ReadFile(path)
	return err == nil && string(now) == content
}

// isRest says that a directory has no meaning as it is, and so goes when nobody holds it: git
// removes it itself once it is empty.
func isRest(path string) bool {
	name := filepath.Base(path)
	return (name == "modules" || name == "worktrees") && isRepository(filepath.Dir(path)) && (absence{path: path}).there()
}

func add(list *[]string, path string) {
	if path = filepath.Clean(path); !slices.Contains(*list, path) {
		*list = append(*list, path)
	}
}
