package helper

import (
	"errors"
	"syscall"
)

// opened is a file or directory that was opened before anything was mounted over its path.
type opened struct {
	path string
	file int // an O_PATH descriptor, which execve closes
}

// open opens the trees without following symbolic links. All paths were resolved when the plan was
// made. If a path contains a link now, a command has created it since then, and the link could lead
// out of the granted trees. A missing path needs no grant.
func (p *Plan) open() (trees []opened, err error) {
	for _, path := range append([]string{p.Temp}, p.Write...) {
		file, err := openPath(path)
		switch {
		case err == nil:
			trees = append(trees, opened{path, file})
		case missing(err):
		case errors.Is(err, syscall.ELOOP) && path != p.Root:
		case errors.Is(err, syscall.ELOOP):
			return trees, errors.New(path + " has been replaced by a symbolic link since the conversation began; start Marvin in the directory that the link points to")
		default:
			return trees, wrap("open "+path, err)
		}
	}
	return trees, nil
}
