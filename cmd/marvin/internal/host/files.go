package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/editor"
	"marvin/persistence/projects"
	"marvin/tools"
)

// workplace provides the files and the shell of a working directory. In the methods, an empty dir
// means the directory in which Marvin was started.
type workplace struct{ parts *app.App }

// Directory implements [command.Host].
func (h workplace) Directory(path, dir string) (string, error) {
	path = strings.Trim(path, `"'`)
	rest, below := strings.CutPrefix(path, "~")
	if below && h.parts.World.Home != "" && (rest == "" || rest[0] == '/') {
		path = filepath.Join(h.parts.World.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(cmp.Or(dir, h.parts.World.Dir), path)
	}
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("there is no directory %s; make it, or name another", tools.Visible(path))
	case err != nil:
		return "", fmt.Errorf("change the directory: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file; give its directory: %s", tools.Visible(path), tools.Visible(filepath.Dir(path)))
	}
	return projects.RealDir(path), nil
}

func (h workplace) Write(path, dir string, content []byte) (string, error) {
	return cli.WriteNew(h.parts.World, path, cmp.Or(dir, h.parts.World.Dir), content)
}

func (h workplace) Run(ctx context.Context, line, dir string, heard io.Writer) (string, error) {
	return h.parts.Own.Run(ctx, line, cmp.Or(dir, h.parts.World.Dir), h.parts.World.Environ, heard)
}

func (h workplace) Page(path string) error { return editor.Editor{World: h.parts.World}.Page(path) }

func (h workplace) Shell(dir string) error {
	return editor.Editor{World: h.parts.World}.Shell(cmp.Or(dir, h.parts.World.Dir))
}
