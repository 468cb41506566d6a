// Package box keeps file tools inside one directory.
package box

import (
	"fmt"
	"os"
)

// Dir is an open directory that nothing under its name can leave.
type Dir struct {
	root *os.Root
}

// Open opens an existing directory.
func Open(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open directory %s: %w", path, err)
	}
	return &Dir{root: root}, nil
}

// Close releases the directory.
func (d *Dir) Close() error { return d.root.Close() }
