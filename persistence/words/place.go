package words

import "os"

// place is a directory of a project, out of which nothing leads. It has two doors with the
// same lock: os.Root, which asks the kernel for each part of a way, and where the kernel
// can hold a whole way inside by itself, the directory ([place.held]).
type place struct {
	above *place // the place that it is in; nil for one that is found by its path
	name  string // in there, or the path
	root  *os.Root
	dir   held
}

// placeAt is the place at a path.
func placeAt(path string) *place { return &place{name: path, dir: hold(path)} }

// rooted opens the place as an os.Root, once.
func (p *place) rooted() (*os.Root, error) {
	if p.root != nil {
		return p.root, nil
	}
	var err error
	if p.above == nil {
		p.root, err = os.OpenRoot(p.name)
		return p.root, err
	}
	above, err := p.above.rooted()
	if err == nil {
		p.root, err = above.OpenRoot(p.name)
	}
	return p.root, err
}

// below is a directory in the place, where there is one; close it.
func (p *place) below(name string) (*place, error) {
	inner := &place{above: p, name: name, dir: p.dir.below(name)}
	if inner.dir.open() {
		return inner, nil
	}
	_, err := inner.rooted()
	return inner, err
}

func (p *place) close() {
	p.dir.close()
	if p.root != nil {
		_ = p.root.Close() // it was only read
	}
}
