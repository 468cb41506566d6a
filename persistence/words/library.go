package words

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Library finds what there is to read, and keeps what it read for the next time: each turn
// asks, and between two turns hardly ever something changes. What was kept counts while
// everything that was looked at for it is as it was, also the names that were not there.
// With 12 levels, 40 files and 300 skills that is looking at 400 paths and opening none.
//
// The zero value keeps nothing, because it has no clock. It is safe for concurrent use.
type Library struct {
	Now     func() time.Time // without it nothing is kept
	Off     []Switch         // what the user switched off
	NotRead NotRead          // the same, where a file says it: then Off counts for nothing
	Given   []File           // what the command line says, of kind System or Addition
	// Taken says whether a name is that of a command of Marvin's own; without it none is.
	Taken func(name string) bool

	mutex sync.Mutex
	kept  map[string]*unit
	read  int // files and directories that were opened, for the tests
}

// mostKept is how many directories are kept. Beyond it all are read again, which costs a turn
// some milliseconds beside it.
const mostKept = 1000

// usual is how many files a project has at most, so that there is room for them at once.
const usual = 64

// settled is how old a change must be for its time to tell it from a later one: file systems
// count in steps of up to two seconds.
const settled = 2 * time.Second

// Find reads what changed since the last time. Unreadable files are left out and listed in
// Problems.
func (l *Library) Find(query Query) Inventory {
	found := search{query: query, library: l}
	found.off, found.Problems = l.off()
	found.ownFiles()
	if query.Dir != "" {
		found.project()
	}
	found.judge()
	return found.Inventory
}

// unit is what was read of one directory, or imported by one file, and what was looked at.
type unit struct {
	files    []File
	problems []error
	off      []Switch // that a file of settings says

	of, standing string // of an imported text: what it was made from
	dir          seen   // the directory whose names were looked for; no path for none
	seen         []seen
	buffer       []byte // that files are read into, until all are read
	opened       int
	restless     bool // a name may have come to the directory in the moment in which it was looked at
	unsettled    bool // something changed so shortly before that a later change may look the same
}

// seen is a path that was looked at, and what was there.
type seen struct {
	path string
	info fs.FileInfo // nil for nothing
	only bool        // that it is there counts, and not what is in it
}

func seenAt(path string) seen {
	info, err := os.Stat(path)
	if err != nil {
		info = nil // it is not there, or not for us to see
	}
	return seen{path: path, info: info}
}

// same says whether it is still so.
func (s seen) same() bool { return s.as(seenAt(s.path)) }

func (s seen) as(now seen) bool {
	if s.info == nil || now.info == nil {
		return s.info == nil && now.info == nil
	}
	if s.only {
		return os.SameFile(s.info, now.info)
	}
	return os.SameFile(s.info, now.info) && s.info.Size() == now.info.Size() && s.info.Mode() == now.info.Mode() &&
		s.info.ModTime().Equal(now.info.ModTime()) && changed(s.info).Equal(changed(now.info))
}

// look notes a path before it is read: what changes meanwhile is seen the next time.
func (u *unit) look(path string) {
	if last := len(u.seen) - 1; last < 0 || u.seen[last].path != path {
		u.seen = append(u.seen, seenAt(path))
	}
}

// after says whether something about it changed after a time.
func (s seen) after(then time.Time) bool {
	return s.info != nil && !s.only && (s.info.ModTime().After(then) || changed(s.info).After(then))
}

func (u *unit) add(file File) {
	file.sum = hashOf(file.raw)
	u.files = append(u.files, file)
}

// holdsStill says whether everything is as it was. In a directory that did not change no
// name appeared.
func (u *unit) holdsStill() bool {
	if u.unsettled {
		return false
	}
	quiet := false
	if u.dir.path != "" {
		now := seenAt(u.dir.path)
		quiet = !u.restless && u.dir.as(now)
		if there := u.dir.info != nil; !quiet && (there != (now.info != nil) || !os.SameFile(u.dir.info, now.info)) {
			return false
		}
	}
	for _, one := range u.seen {
		if quiet && one.info == nil && filepath.Dir(one.path) == u.dir.path {
			continue
		}
		if !one.same() {
			return false
		}
	}
	return true
}

// of returns the contents of a directory, cached or read. Without dir, fill names the directory.
func (l *Library) of(key, dir string, fill func(*unit)) *unit {
	return l.unit(key, (*unit).holdsStill, func(u *unit) {
		if dir != "" {
			u.dir = seenAt(dir)
		}
		fill(u)
	})
}

// take adds what a directory has.
func (s *search) take(key, dir string, fill func(*unit)) { s.add(s.library.of(key, dir, fill)) }

// add adds what was read.
func (s *search) add(u *unit) {
	begin := len(s.Files)
	if need := begin + len(u.files); need > cap(s.Files) {
		s.Files = slices.Grow(s.Files, max(len(u.files), usual))
	}
	s.Files = append(s.Files, u.files...)
	for i := begin; i < len(s.Files) && len(s.off) > 0; i++ {
		if said, off := s.Switched(&s.Files[i], s.query.Dir); off {
			s.Files[i].State, s.Files[i].Why = SwitchedOff, fmt.Sprintf("by not_read: %q", said)
		}
	}
	s.Problems = append(s.Problems, u.problems...)
}

// expand puts into a file what it imports.
func (s *search) expand(file *File, from func() (tree, error), base, name, standing string, counts func(string) bool) {
	if !strings.Contains(file.Text, "@") && !strings.Contains(file.Text, "<!--") {
		return
	}
	holds := func(u *unit) bool { return u.of == file.raw && u.standing == standing && u.holdsStill() }
	u := s.library.unit("imports "+file.Path, holds, func(u *unit) {
		u.of, u.standing = file.raw, standing
		root, err := from()
		if err != nil {
			u.problem(base, err)
			return
		}
		root.path = base
		work := importing{from: root, unit: u, stand: counts, off: s.switched, seen: map[string]bool{name: true}, left: importBytes}
		text, comments := uncommented(file.Text)
		whole := File{Text: work.expand(name, text, 0), raw: file.raw + work.raw.String(), Imports: work.imports, Omitted: work.omitted}
		if comments > 0 {
			whole.Omitted = append(whole.Omitted, fmt.Sprintf("%d comments, which a page does not show", comments))
		}
		u.add(whole)
	})
	for _, whole := range u.files {
		file.Text, file.raw, file.sum, file.Imports, file.Omitted = whole.Text, whole.raw, whole.sum, whole.Imports, whole.Omitted
	}
	s.Problems = append(s.Problems, u.problems...)
}

// unit returns a cached unit if it is still valid, or fills a new one.
func (l *Library) unit(key string, holds func(*unit) bool, fill func(*unit)) *unit {
	l.mutex.Lock()
	u := l.kept[key]
	l.mutex.Unlock()
	if u != nil && holds(u) {
		return u
	}
	u = &unit{}
	fill(u)
	u.buffer = nil
	if l.Now == nil {
		return u
	}
	recent := l.Now().Add(-settled)
	for _, one := range u.seen {
		u.unsettled = u.unsettled || one.after(recent)
	}
	u.restless = u.dir.after(recent)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.kept == nil || len(l.kept) >= mostKept {
		l.kept = map[string]*unit{}
	}
	l.kept[key] = u
	l.read += u.opened
	return u
}
