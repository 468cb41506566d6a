package protected

import (
	"path"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
)

// Where is what says where the rows of the home directory are for this user.
type Where struct {
	Home    string
	Environ []string // with the variables that move them
	Marvin  []string // Marvin's own directories, where they are not the usual ones
	Git     []string // files that the repository of the working directory includes in its configuration
}

// Place is one name of a row as an absolute path. It need not exist.
type Place struct {
	Path     string
	Row      *Row
	Anywhere bool // by a row of any directory
}

// ofMarvin and ofGit are the rows of places that the table cannot know.
var (
	ofMarvin = Row{What: "Marvin's own files", Why: "they decide what Marvin may do, and hold keys and conversations", Runs: true, Keys: true, Write: Refused}
	ofGit    = Row{What: "git's settings", Why: "the repository's configuration includes it, and git runs the programs it names", Runs: true, Write: Refused}
)

// Places are the places of all rows but those of [Anywhere], in the order of the table.
// They are computed from text alone.
func (w Where) Places() []Place {
	places := make([]Place, 0, 1024)
	for i := range Home {
		row := &Home[i]
		for _, name := range row.Names {
			if w.Home != "" {
				places = append(places, Place{Path: filepath.Join(w.Home, name), Row: row})
			}
		}
	}
	places = append(places, w.moved()...)
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

// moved are the places that variables name. One that names the usual place adds nothing new.
func (w Where) moved() (places []Place) {
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

// Names find the place of a path by its spelling alone: for judging commands, which need
// not run on this disk.
type Names struct {
	places map[string]Place
	dirs   map[string][]Place // by the directory that they are in
}

// last is the last result of [Where.Names], which is asked for with each command.
var last struct {
	sync.Mutex
	key   string
	names *Names
}

// Names are the places by their names.
func (w Where) Names() *Names {
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
		names.add(split(place.Path), place)
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

// Of is the place that a clean absolute path belongs to. The strictest place counts. ok is
// false for none.
func (n *Names) Of(path string) (Place, bool) {
	parts := split(path)
	if found, ok := n.of(parts); ok {
		return found, true
	}
	return anywhere(parts)
}

func (n *Names) of(parts []string) (found Place, ok bool) {
	key := ""
	for i, part := range folded(parts) {
		key = strings.TrimPrefix(key+"/"+part, "/")
		if place, known := n.places[key]; known && (!ok || place.Row.stricter(found.Row)) && !free(parts, i+1) {
			found, ok = place, true
		}
	}
	return found, ok
}

// stricter says whether a row forbids more than another.
func (r *Row) stricter(than *Row) bool { return r.Write < than.Write }

// byName are the rows of [Anywhere] by their names without case, and those with a star.
var byName = sync.OnceValue(func() (rows struct {
	exact    map[string]*Row
	patterns map[string]*Row
},
) {
	rows.exact, rows.patterns = map[string]*Row{}, map[string]*Row{}
	for i := range Anywhere {
		for _, name := range Anywhere[i].Names {
			if key := strings.Join(folded(split(name)), "/"); strings.Contains(name, "*") {
				rows.patterns[key] = &Anywhere[i]
			} else {
				rows.exact[key] = &Anywhere[i]
			}
		}
	}
	return rows
})

// anywhere is the place of the rows of any directory that a path belongs to.
func anywhere(parts []string) (Place, bool) {
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
		if row != nil && !free(parts, i+1) {
			return Place{Path: "/" + strings.Join(parts[:i+1], "/"), Row: row, Anywhere: true}, true
		}
	}
	return Place{}, false
}

// free says whether a path leads through a place into one that belongs to the work itself:
// the first n parts are the place.
func free(parts []string, n int) bool {
	for _, name := range Free {
		above, below, _ := strings.Cut(name, "/")
		if n > 0 && len(parts) > n && SameName(parts[n-1], above) && SameName(parts[n], below) {
			return true
		}
	}
	return false
}

// folded are names as a file system may compare them: case does not count, nor do invisible
// characters (HFS+), and what NTFS drops at the end.
func folded(parts []string) []string {
	all := make([]string, len(parts))
	for i, part := range parts {
		all[i] = fold(part)
	}
	return all
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

// SameName reports whether some file system takes name for wanted.
func SameName(name, wanted string) bool { return name == wanted || fold(name) == fold(wanted) }

// split cuts a path into its components, without empty ones and dots.
func split(name string) []string {
	var parts []string
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}
