package words

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// place is a directory of the project. It is opened and listed once, on first use, because the
// system walks every part of each path.
type place struct {
	search *search
	above  *place // the parent; nil if found from the root
	level  string // below the root

	once sync.Once
	seen seen // as it was before it was listed
	tree tree
	err  error
}

func (s *search) place(above *place, level string) *place {
	at := &place{search: s, above: above, level: level}
	s.places = append(s.places, at)
	return at
}

// open returns the directory, confined to the project.
func (p *place) open() (tree, error) {
	p.once.Do(p.look)
	return p.tree, p.err
}

func (p *place) look() {
	p.seen = seenAt(filepath.Join(p.search.Root, filepath.FromSlash(p.level)))
	if p.level == "." {
		p.tree.path = p.search.Root
		p.tree.root, p.err = os.OpenRoot(p.search.Root)
	} else {
		p.tree, p.err = p.below()
	}
	if p.err == nil {
		p.tree.names = p.tree.list()
	}
}

// within reads something of a place. One that is gone, or a link that leads out, has nothing.
func (u *unit) within(at *place, read func(here tree)) {
	here, err := at.open()
	u.dir = at.seen
	if _, problem := at.search.top.open(); problem != nil {
		u.problem(at.search.Root, problem)
	} else if err == nil {
		read(here)
	}
}

// below opens it from the one above, which is one step, or from the root: a link may lead
// elsewhere in the repository.
func (p *place) below() (tree, error) {
	if p.above != nil {
		if above, err := p.above.open(); err == nil {
			if here, err := above.below(filepath.Base(p.level)); err == nil {
				return here, nil
			}
		}
	}
	root, err := p.search.top.open()
	if err != nil {
		return tree{}, err
	}
	return root.below(p.level)
}

// mostListed is how many names a directory may have for all of them to be read. In a longer
// one each name that counts is looked for.
const mostListed = 250

// list reads the names in a directory; nil where there are too many of them.
func (t tree) list() map[string]bool {
	open, err := t.directory(".")
	if err != nil || open == nil {
		return nil
	}
	defer open.Close()
	found, err := open.Readdirnames(mostListed)
	if len(found) == mostListed || err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	names := make(map[string]bool, len(found))
	for _, name := range found {
		names[strings.ToLower(name)] = true
	}
	return names
}
