package helper

import (
	"errors"
	"syscall"
)

// opened is a tree that a command may write, held by a descriptor from the beginning.
type opened struct {
	path string
	file int // O_PATH, closed by the command's beginning
}

// open takes hold of what may be written. Every path was resolved when the plan was made:
// a symbolic link in it now was put there by a command, and leads where nothing was
// granted. What does not exist (any more) needs no grant.
func (p *Plan) open() (trees []opened, err error) {
	for _, path := range append([]string{p.Temp}, p.Write...) {
		file, err := openPath(path)
		switch {
		case err == nil:
			trees = append(trees, opened{path, file})
		case missing(err):
		case errors.Is(err, syscall.ELOOP) && path != p.Root:
		case errors.Is(err, syscall.ELOOP):
			return trees, errors.New(path + " was replaced by a symbolic link since the conversation began; start Marvin where it leads")
		default:
			return trees, wrap("open "+path, err)
		}
	}
	return trees, nil
}
