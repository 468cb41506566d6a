package gitdir

import (
	"path/filepath"
	"strings"
)

// Branch returns the current git branch in a directory, or "" if there is no repository or no
// branch. It runs no process and never blocks.
func Branch(dir string) string {
	repository := Discover(dir)
	if repository.Dir == "" {
		return ""
	}
	name, ok := strings.CutPrefix(first(filepath.Join(repository.Dir, "HEAD"), 4<<10), "ref: refs/heads/")
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, "\n")
	return strings.TrimSpace(name)
}
