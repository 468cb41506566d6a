package tools

import (
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/words"
)

// Place is something a call reads or writes. Calls of one reply with a common place take effect in
// the order of the reply: readers run concurrently, writers alone. Calls without a place never
// wait.
type Place struct {
	Path  string // absolute, without links; with all that is below. "" if it is no file
	State string // what a service keeps, under any name; "" if it is a file
	All   bool   // everything: the directory or the person is another one from here on
	Write bool
}

// Meets says whether one of the two must wait for the other.
func (p Place) Meets(other Place) bool {
	switch {
	case !p.Write && !other.Write:
		return false
	case p.All || other.All:
		return true
	case p.Path != "" && other.Path != "":
		return below(p.Path, other.Path) || below(other.Path, p.Path)
	}
	return p.State != "" && p.State == other.State
}

// below says whether path is dir or in it. Both are clean.
func below(path, dir string) bool {
	rest, found := strings.CutPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator)))
	return found && (rest == "" || os.IsPathSeparator(rest[0]))
}

// At is the place of a path of the working directory, or of all of it ("."). A position behind the
// name of a file, as in main.go:12:5, is no part of it.
func (e Env) At(path string, write bool) Place {
	if e.Dir == "" {
		return Place{State: "no working directory", Write: write}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	return Place{Path: Unlinked(unranged(path)), Write: write}
}

// unranged is a path without lines or a position, where they are no part of the name of a file.
func unranged(path string) string {
	ranges := words.Ranges(path)
	if len(ranges) == 0 {
		return path
	}
	if _, err := os.Lstat(path); err == nil {
		return path
	}
	for _, lines := range ranges {
		if info, err := os.Stat(lines.Name); err == nil && info.Mode().IsRegular() {
			return lines.Name
		}
	}
	return path
}

// Unlinked resolves the links in as much of a path as there is.
func Unlinked(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(Unlinked(parent), filepath.Base(path))
}

// placesOf are those of a tool that names none: the working directory, as it declares
// access to it, and the state of its section, which readers of the network leave alone
// unless the tool says that it is theirs too.
func placesOf(tool Tool, env Env) []Place {
	var places []Place
	switch tool.Access {
	case Shared:
		places = append(places, env.At(".", false))
	case Exclusive:
		places = append(places, env.At(".", true))
	}
	state, write := tool.State, tool.Effect != Reads
	if state == "" && (write || tool.Pool != Net) && tool.Access == Free {
		state = tool.Section
	}
	if state != "" {
		places = append(places, Place{State: state, Write: write})
	}
	return places
}
