package jail

import (
	"os"
	"path/filepath"
	"slices"
)

// protect makes a path read-only where a command could change it, and creates a placeholder if it
// does not exist: a file with the content, or a directory if content is "". It protects the name as
// well as its target: each symbolic link on the way that commands could write, and the position of
// each directory.
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

// saysNothing recognizes a placeholder, perhaps of a killed Marvin. Empty directories may be the
// user's.
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

// isRest reports whether an empty directory has no meaning, so it may be removed: git itself
// removes it once it is empty.
func isRest(path string) bool {
	name := filepath.Base(path)
	return (name == "modules" || name == "worktrees") && isRepository(filepath.Dir(path)) && (absence{path: path}).there()
}

func add(list *[]string, path string) {
	if path = filepath.Clean(path); !slices.Contains(*list, path) {
		*list = append(*list, path)
	}
}
