package protected

import (
	"path"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"marvin/messages/lists"
)

// Locations contains the data that determines the paths of a user's protected places.
type Locations struct {
	Home    string
	Environ []string // the user's environment variables, some of which change the paths of places
	Marvin  []string // Marvin's own directories
	Git     []string // files included by the git configuration of the working directory
}

// Place is a protected file or directory, which need not exist. Path is absolute.
type Place struct {
	Path     string
	Row      *Row
	Anywhere bool // whether Row is in [Anywhere]
}

// ofMarvin and ofGit are the rows for the places in Locations.Marvin and Locations.Git.
var (
	ofMarvin = Row{What: "Marvin's own files", Why: "these files decide what Marvin may do, and contain keys and conversations", Runs: true, Keys: true, Write: Refused}
	ofGit    = Row{What: "git's settings", Why: "the repository's configuration includes this file, and git runs the programs that are named in it", Runs: true, Write: Refused}
)

// Places returns the places of all rows except those in [Anywhere]. It does not access the disk.
func (w Locations) Places() []Place {
	places := make([]Place, 0, 1024)
	for i := range Home {
		row := &Home[i]
		for _, name := range row.Names {
			if w.Home != "" {
				places = append(places, Place{Path: filepath.Join(w.Home, name), Row: row})
			}
		}
	}
	places = append(places, w.movedPlaces()...)
	for _, dir := range w.Marvin {
		if filepath.IsAbs(dir) {
			places = append(places, Place{Path: filepath.Clean(dir), Row: &ofMarvin})
		}
	}
	for _, file := range w.Git {
		places = append(places, Place{Path: file, Row: &ofGit})
	}
	if filepath.Separator == '/' {
		for i := range System {
			for _, name := range System[i].Names {
				places = append(places, Place{Path: name, Row: &System[i]})
			}
		}
	}
	return places
}

// movedPlaces returns the places that environment variables move: see [moved].
func (w Locations) movedPlaces() (places []Place) {
	for _, entry := range w.Environ {
		variable, value, _ := strings.Cut(entry, "=")
		for _, one := range moved {
			name, file, _ := strings.Cut(one.variable, "/")
			if name != variable {
				continue
			}
			for _, to := range filepath.SplitList(value) {
				if filepath.IsAbs(to) && to != "/dev/null" {
					places = append(places, movedTo(filepath.Join(to, file), one.path)...)
				}
			}
		}
	}
	return places
}

func movedTo(to, from string) (places []Place) {
	for i := range Home {
		for _, name := range Home[i].Names {
			rest, below := strings.CutPrefix(name, strings.TrimSuffix(from, "/"))
			switch {
			case below && rest == "":
				places = append(places, Place{Path: to, Row: &Home[i]})
			case below && rest[0] == '/' && strings.HasSuffix(from, "/"):
				places = append(places, Place{Path: filepath.Join(to, rest), Row: &Home[i]})
			}
		}
	}
	return places
}

// Names finds the place that contains a path, without looking at the disk. It is used to judge
// commands, which may run on another machine.
type Names struct {
	places map[string]Place
	dirs   map[string][]Place // the places in each directory
}

// last is a one-entry cache for [Locations.Names]. Every command needs the index of places.
var last struct {
	sync.Mutex
	key   string
	names *Names
}

// Names returns an index of the places by name. It does not access the disk.
func (w Locations) Names() *Names {
	key := w.Home + "\x00" + strings.Join(w.Marvin, "\x00") + "\x00" + strings.Join(w.Git, "\x00")
	for _, entry := range w.Environ {
		if variable, _, _ := strings.Cut(entry, "="); moves(variable) {
			key += "\x00" + entry
		}
	}
	last.Lock()
	defer last.Unlock()
	if last.names == nil || last.key != key {
		last.key, last.names = key, named(w.Places())
	}
	return last.names
}

func moves(variable string) bool {
	for _, one := range moved {
		if name, _, _ := strings.Cut(one.variable, "/"); name == variable {
			return true
		}
	}
	return false
}

func named(places []Place) *Names {
	names := &Names{places: make(map[string]Place, len(places)), dirs: map[string][]Place{}}
	for _, place := range places {
		names.add(Split(place.Path), place)
		dir := filepath.Dir(place.Path)
		names.dirs[dir] = append(names.dirs[dir], place)
	}
	return names
}

func (n *Names) add(parts []string, place Place) {
	key := strings.Join(folded(parts), "/")
	if before, ok := n.places[key]; key != "" && (!ok || place.Row.stricter(before.Row)) {
		n.places[key] = place
	}
}

// PlaceOf returns the strictest place that contains a path, or false if no place contains the path.
// The path must be clean and absolute.
func (n *Names) PlaceOf(path string) (Place, bool) {
	parts := Split(path)
	if found, ok := n.find(parts); ok {
		return found, true
	}
	return placeAnywhere(parts)
}

func (n *Names) find(parts []string) (found Place, ok bool) {
	key := ""
	for i, part := range folded(parts) {
		key = strings.TrimPrefix(key+"/"+part, "/")
		if place, known := n.places[key]; known && (!ok || place.Row.stricter(found.Row)) && !inFreeDir(parts, i+1) {
			found, ok = place, true
		}
	}
	return found, ok
}

func (r *Row) stricter(than *Row) bool { return r.Write < than.Write }

// byName returns two maps from the folded names in [Anywhere] to their rows. The second map
// contains the names with an asterisk.
var byName = sync.OnceValue(func() (rows struct {
	exact    map[string]*Row
	patterns map[string]*Row
},
) {
	rows.exact, rows.patterns = map[string]*Row{}, map[string]*Row{}
	for i := range Anywhere {
		for _, name := range Anywhere[i].Names {
			if key := strings.Join(folded(Split(name)), "/"); strings.Contains(name, "*") {
				rows.patterns[key] = &Anywhere[i]
			} else {
				rows.exact[key] = &Anywhere[i]
			}
		}
	}
	return rows
})

// placeAnywhere looks up a path in the rows of [Anywhere], and returns the place that contains the
// path.
func placeAnywhere(parts []string) (Place, bool) {
	names := folded(parts)
	for i, name := range names {
		row := byName().exact[name]
		if row == nil && i > 0 {
			row = byName().exact[names[i-1]+"/"+name]
		}
		for pattern, its := range byName().patterns {
			if matched, err := path.Match(pattern, name); matched && err == nil {
				row = its
			}
		}
		if row != nil && !inFreeDir(parts, i+1) {
			return Place{Path: "/" + strings.Join(parts[:i+1], "/"), Row: row, Anywhere: true}, true
		}
	}
	return Place{}, false
}

// inFreeDir reports whether a path is in one of the [FreeDirs] of a protected place. The place's
// path is parts[:n].
func inFreeDir(parts []string, n int) bool {
	for _, name := range FreeDirs {
		above, below, _ := strings.Cut(name, "/")
		if n > 0 && len(parts) > n && SameName(parts[n-1], above) && SameName(parts[n], below) {
			return true
		}
	}
	return false
}

// folded normalizes the components of a path, so that names match if a file system treats them as
// equal. It folds case, and drops invisible characters (HFS+) and name endings that NTFS ignores.
func folded(parts []string) []string {
	return lists.Map(parts, fold)
}

func fold(name string) string {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII {
			return unicode.ToUpper(r)
		}
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
	return strings.TrimRight(name, " .")
}

// SameName reports whether two names are equal on at least one kind of file system.
func SameName(name, wanted string) bool { return name == wanted || fold(name) == fold(wanted) }

// Split returns the components of a path. It omits "." and empty components.
func Split(name string) []string {
	var parts []string
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}
