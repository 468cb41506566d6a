package jail

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// opened is a tree that a command may write, held by a descriptor from the beginning.
type opened struct {
	path string
	file int // O_PATH, closed by the command's beginning
}

// open takes hold of what may be written. Every path was resolved when the plan was made:
// a symbolic link in it now was put there by a command, and leads where nothing was
// granted. What does not exist (any more) needs no grant.
func (p *plan) open() (trees []opened, err error) {
	for _, path := range append([]string{p.Temp}, p.Write...) {
		file, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
		switch {
		case err == nil:
			trees = append(trees, opened{path, file})
		case errors.Is(err, os.ErrNotExist):
		case errors.Is(err, unix.ELOOP) && path != p.Root:
		case errors.Is(err, unix.ELOOP):
			return trees, fmt.Errorf("%s was replaced by a symbolic link since the conversation began; start Marvin where it leads", path)
		default:
			return trees, fmt.Errorf("open %s: %w", path, err)
		}
	}
	return trees, nil
}
