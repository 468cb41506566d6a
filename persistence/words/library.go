package words

import (
	"fmt"
	"strings"
)

// Library finds the files that people wrote for agents. It reads all files again on each turn. That
// takes 0.3 ms for three files on two directory levels, and 5.5 ms for 40 files and 300 skills on
// 12 levels. Caching saved at most 4 ms, and parallel reading saved nothing.
type Library struct {
	Off     []Switch // entries of not_read
	NotRead NotRead  // optional; returns the entries to use instead of Off
	Given   []File   // text from the command line, of kind System or Addition
	// Taken reports whether one of Marvin's own commands has the given name. If Taken is nil, no
	// name is taken.
	Taken func(name string) bool
}

// Find reads all files. [Inventory.Problems] reports the files that cannot be read.
func (l *Library) Find(query Query) Inventory {
	found := search{query: query, library: l}
	found.off, found.Problems = l.switchedOff()
	found.ownFiles()
	if query.Dir != "" {
		found.project()
	}
	found.judge()
	return found.Inventory
}

// unit contains the files of one directory, or the imports of one file.
type unit struct {
	files    []File
	problems []error
}

func (u *unit) add(file File) {
	file.sum = hashOf(file.raw)
	u.files = append(u.files, file)
}

func (s *search) take(fill func(*unit)) { s.add(filled(fill)) }

func filled(fill func(*unit)) *unit {
	u := &unit{}
	fill(u)
	return u
}

func (s *search) add(u *unit) {
	begin := len(s.Files)
	s.Files = append(s.Files, u.files...)
	for i := begin; i < len(s.Files) && len(s.off) > 0; i++ {
		if said, off := s.SwitchedOffBy(&s.Files[i], s.query.Dir); off {
			s.Files[i].State, s.Files[i].Why = SwitchedOff, fmt.Sprintf("by not_read: %q", said)
		}
	}
	s.Problems = append(s.Problems, u.problems...)
}

func (s *search) expand(file *File, from func() (tree, error), base, name string, counts func(string) bool) {
	if !strings.Contains(file.Text, "@") && !strings.Contains(file.Text, "<!--") {
		return
	}
	root, err := from()
	if err != nil {
		s.Problems = append(s.Problems, fmt.Errorf("%s: %w", base, err))
		return
	}
	root.path = base
	work := importer{from: root, stand: counts, off: s.isSwitchedOff, seen: map[string]bool{name: true}, left: importBytes}
	text, comments := removeComments(file.Text)
	file.Text = work.expand(name, text, 0)
	file.raw += work.raw.String()
	file.sum, file.Imports, file.Omitted = hashOf(file.raw), work.imports, work.omitted
	if comments > 0 {
		file.Omitted = append(file.Omitted, fmt.Sprintf("%d comments", comments))
	}
}
