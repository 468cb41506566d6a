package tools

import (
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/words"
)

// Place is a file, a directory or a service's state that a call reads or writes. If several calls
// in a reply share a place, they take effect in the order of the reply. Calls that only read the
// place run concurrently, and a call that writes to it runs alone. A call without places never
// waits.
type Place struct {
	Path  string // the absolute path, without links, of a file or a whole directory; otherwise ""
	State string // the name of a service's state; "" if the place is a file
	All   bool   // the place consists of all files and the states of all services
	Write bool
}

// Meets reports whether two places conflict. Calls with conflicting places do not run concurrently.
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

// below returns true if path equals dir or is inside dir. Both paths must be clean.
func below(path, dir string) bool {
	rest, found := strings.CutPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator)))
	return found && (rest == "" || os.IsPathSeparator(rest[0]))
}

// PlaceAt returns the [Place] of a path. The path "." means the whole working directory. If a file
// name is followed by a position, as in main.go:12:5, PlaceAt ignores the position.
func (e Env) PlaceAt(path string, write bool) Place {
	if e.Dir == "" {
		return Place{State: "no working directory", Write: write}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	return Place{Path: ResolveLinks(trimRange(path)), Write: write}
}

// trimRange removes a line range or position from the end of path, if the rest is the name of a
// regular file. If path itself exists, trimRange returns it unchanged.
func trimRange(path string) string {
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

// ResolveLinks resolves the symbolic links in a path. Elements that do not exist remain unchanged.
func ResolveLinks(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(ResolveLinks(parent), filepath.Base(path))
}

// placesOf returns the places of a call whose tool does not set [Def.Places]. It derives them from
// Access, State and Effect.
func placesOf(tool Tool, env Env) []Place {
	var places []Place
	switch tool.Access {
	case Shared:
		places = append(places, env.PlaceAt(".", false))
	case Exclusive:
		places = append(places, env.PlaceAt(".", true))
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
