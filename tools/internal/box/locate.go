package box

import (
	"fmt"
	"io/fs"
)

// Locate says what name means inside the directory, for tools that hand a path to
// a program: the path without links and detours, and what is there. The info is
// nil if nothing is there, which is no error.
func (d *Dir) Locate(name string) (path string, info fs.FileInfo, err error) {
	at, err := d.resolve(name, reading)
	if err != nil {
		return "", nil, err
	}
	return at.name(), at.info, nil
}

// Readlink is the text of a symbolic link in the directory. name must be free of
// links but for the last one, as names from listings are.
func (d *Dir) Readlink(name string) (string, error) {
	target, err := d.root.Readlink(name)
	if err != nil {
		return "", fmt.Errorf("read link %s: %w", quoteName(name), plain(err))
	}
	return target, nil
}

// Real is the directory without symbolic links.
func (d *Dir) Real() string { return d.real }

// Prune removes a directory if there is nothing in it. The name must be free of links; one
// that leads elsewhere now is left alone.
func (d *Dir) Prune(name string) {
	if path, info, err := d.Locate(name); err == nil && path == name && info != nil && info.IsDir() {
		_ = d.root.Remove(name) // fails unless the directory is empty
	}
}
