package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/projects"
	"marvin/tools"
)

// workplace is the files and the shell of a person who works in a directory: that of the
// conversation, or where Marvin was started.
type workplace struct{ parts *parts }

// Directory implements [command.Host].
func (h workplace) Directory(path, dir string) (string, error) {
	path = strings.Trim(path, `"'`)
	rest, below := strings.CutPrefix(path, "~")
	if below && h.parts.world.Home != "" && (rest == "" || rest[0] == '/') {
		path = filepath.Join(h.parts.world.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(cmp.Or(dir, h.parts.world.Dir), path)
	}
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("there is no directory %s; make it, or name another", tools.Visible(path))
	case err != nil:
		return "", fmt.Errorf("change the directory: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file; name the directory %s", tools.Visible(path), tools.Visible(filepath.Dir(path)))
	}
	return projects.RealDir(path), nil
}

func (h workplace) Write(path, dir string, content []byte) (string, error) {
	return writeNew(h.parts.world, path, cmp.Or(dir, h.parts.world.Dir), content)
}

func (h workplace) Run(ctx context.Context, line, dir string, heard io.Writer) (string, error) {
	return h.parts.own.Run(ctx, line, cmp.Or(dir, h.parts.world.Dir), h.parts.world.Environ, heard)
}

func (h workplace) Page(path string) error { return editor{h.parts.world}.page(path) }

func (h workplace) Shell(dir string) error {
	return editor{h.parts.world}.shell(cmp.Or(dir, h.parts.world.Dir))
}
