package box

import (
	"fmt"
	"io/fs"
)

// Locate resolves links and ".." in a file name, and returns the path relative to d. If the file
// does not exist, info and err are nil.
func (d *Dir) Locate(name string) (path string, info fs.FileInfo, err error) {
	at, err := d.resolve(name, reading)
	if err != nil {
		return "", nil, err
	}
	return at.name(), at.info, nil
}

// Readlink returns the target of a symbolic link.
func (d *Dir) Readlink(name string) (string, error) {
	target, err := d.root.Readlink(name)
	if err != nil {
		return "", fmt.Errorf("read link %s: %w", quoteName(name), causeOf(err))
	}
	return target, nil
}

// Real returns the directory's path without symbolic links.
func (d *Dir) Real() string { return d.real }

// Prune removes an empty directory. It ignores a path that contains a symbolic link.
func (d *Dir) Prune(name string) {
	if path, info, err := d.Locate(name); err == nil && path == name && info != nil && info.IsDir() {
		_ = d.root.Remove(name) // Remove fails if the directory is not empty
	}
}
