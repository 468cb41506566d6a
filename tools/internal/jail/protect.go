package jail

import (
	"os"
	"path/filepath"
	"slices"

	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/gitwatch"
	"marvin/tools/internal/jail/internal/placeholder"
)

// protect makes a path read-only if a command could change it. If the path is missing, a
// placeholder exists there while commands run. The placeholder is a file with the given content, or
// a directory if content is "". protect also prevents commands from replacing the symbolic links
// and directories that lead to the path.
func (j *Jail) protect(path, content string) {
	names, _ := passed(path) // names is incomplete if symbolic links form a cycle
	for i, name := range names {
		if !j.reaches(name) {
			continue
		}
		info, err := os.Lstat(name)
		last := i == len(names)-1
		switch {
		case err != nil && !last: // nothing can exist below a missing name
			j.keepAbsent(placeholder.Absence{Path: name})
			return
		case err != nil || last && (placeholder.SaysNothing(name, content) || isRest(name)):
			j.keepAbsent(placeholder.Absence{Path: name, Content: content})
		case info.Mode()&os.ModeSymlink != 0:
			add(&j.plan.Links, name)
		case last:
			add(&j.plan.Protect, name)
		default:
			add(&j.plan.Pin, name)
		}
	}
}

// keepAbsent protects a missing path with a placeholder that exists only while commands run.
func (j *Jail) keepAbsent(one placeholder.Absence) {
	add(&j.plan.Protect, one.Path)
	if !slices.Contains(j.absent, one) {
		j.absent = append(j.absent, one)
	}
}

// reaches is true if commands can rename, remove or replace a path.
func (j *Jail) reaches(name string) bool {
	return slices.ContainsFunc(j.plan.Write, func(tree string) bool { return name != tree && disk.Contains(name, tree) })
}

// isRest reports whether path is an empty "modules" or "worktrees" directory in a repository. Such
// a directory has no meaning; git itself removes it.
func isRest(path string) bool {
	name := filepath.Base(path)
	return (name == "modules" || name == "worktrees") && gitwatch.IsRepository(filepath.Dir(path)) && (placeholder.Absence{Path: path}).Intact()
}

func add(list *[]string, path string) {
	if path = filepath.Clean(path); !slices.Contains(*list, path) {
		*list = append(*list, path)
	}
}
