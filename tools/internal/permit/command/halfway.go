package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// Halfway describes a git command that changes branches or files before it writes the repository's
// settings. With read-only settings, the command fails halfway and cannot be repeated.
type Halfway struct {
	Part Part
	Dir  string // the directory in which the command probably runs
}

func (a *assessor) halfway(part Part) {
	args := part.Words[1:]
	rest := WithoutGitOptions(args)
	if len(rest) < 2 || a.place.Dir == "" {
		return
	}
	switch words := rest[1:]; rest[0].Text {
	case "worktree":
		if oneOf(words[:1], "add", "move", "remove") == "" {
			return
		}
	case "branch":
		moves := slices.ContainsFunc([]byte("mMcC"), func(letter byte) bool { return hasShort(words, letter) })
		if !moves && cutShort(words, "--move", "--copy") == "" {
			return
		}
	default:
		return
	}
	dir := a.dirs[len(a.dirs)-1]
	for n := range args[:len(args)-len(rest)] {
		if to, ok := optionValue(args, n, "-C"); ok && !to.unknown() {
			dir = a.absolute(to, dir)
		}
	}
	a.report.Halfway = append(a.report.Halfway, Halfway{Part: part, Dir: filepath.Clean(dir)})
}

func (h Halfway) String() string { return strings.TrimSpace(Clip(h.Part.String())) }
