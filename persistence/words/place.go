package words

import (
	"os"
	"path/filepath"
)

// place is a directory of the project. It is opened on first use and stays open, so that the kernel
// need not resolve the whole path again for each file.
type place struct {
	search *search
	above  *place // the parent directory, or nil
	level  string // path relative to the root

	opened bool
	tree   tree
	err    error
}

func (s *search) place(above *place, level string) *place {
	at := &place{search: s, above: above, level: level}
	s.places = append(s.places, at)
	return at
}

// open opens the directory on the first call. Later calls return the same results.
func (p *place) open() (tree, error) {
	if p.opened {
		return p.tree, p.err
	}
	p.opened = true
	if p.level == "." {
		p.tree.path = p.search.Root
		p.tree.root, p.err = os.OpenRoot(p.search.Root)
	} else {
		p.tree, p.err = p.openDir()
	}
	return p.tree, p.err
}

// readIn opens a directory and calls the given function with the open directory. If the directory
// is missing or is a link that leads out of the project, readIn does not call the function.
func (u *unit) readIn(at *place, read func(here tree)) {
	here, err := at.open()
	if _, problem := at.search.top.open(); problem != nil {
		u.problem(at.search.Root, problem)
	} else if err == nil {
		read(here)
	}
}

// openDir opens the directory from its parent, or else from the root. A link that leads out of the
// parent can be opened only from the root.
func (p *place) openDir() (tree, error) {
	if p.above != nil {
		if above, err := p.above.open(); err == nil {
			if here, err := above.openSubtree(filepath.Base(p.level)); err == nil {
				return here, nil
			}
		}
	}
	root, err := p.search.top.open()
	if err != nil {
		return tree{}, err
	}
	return root.openSubtree(p.level)
}
