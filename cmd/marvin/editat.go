package main

import (
	"fmt"
	"os"
	"path/filepath"

	"marvin/tools"
)

// hostOfFiles is the world outside of a conversation, with the person's editor for files of
// the project.
type hostOfFiles struct{ host }

// EditAt implements [command.Host]. The path begins in the directory, or in one above it.
func (h hostOfFiles) EditAt(path, dir string, line int) error {
	full := path
	for at := dir; !filepath.IsAbs(path); at = filepath.Dir(at) {
		if full = filepath.Join(at, filepath.FromSlash(path)); exists(full) || at == filepath.Dir(at) {
			break
		}
	}
	if !exists(full) {
		return fmt.Errorf("%s is gone", tools.Visible(path))
	}
	return editor{h.parts.world}.openAt(full, line)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
