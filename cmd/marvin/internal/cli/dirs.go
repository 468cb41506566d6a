package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools"
	"marvin/ui/door"
)

// WorkingDir returns the directory from --working-dir as an absolute path. Without this option, it
// returns the resumed conversation's directory, or else the directory in which Marvin was started.
func WorkingDir(world World, opts Options) (string, error) {
	path := opts.WorkingDir
	if path == "" {
		return cmp.Or(opts.Left.Start, world.Dir), nil
	}
	whole, err := AbsoluteDir(world, path)
	if err != nil {
		return "", fmt.Errorf("--working-dir: %w", err)
	}
	return whole, nil
}

// AbsoluteDir returns the absolute path of an existing directory. It expands ~ and resolves
// symbolic links.
func AbsoluteDir(world World, path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') && world.Home != "" {
		path = world.Home + rest
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s does not exist; create it with mkdir, or name another", path)
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file, not a directory", path)
	}
	return filepath.EvalSymlinks(path)
}

func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// HomeRelative replaces the home directory at the beginning of dir with "~".
func HomeRelative(world World, dir string) string {
	called := dir
	if below, err := filepath.Rel(world.Home, dir); err == nil && filepath.IsLocal(below) {
		called = strings.TrimSuffix("~/"+below, "/.")
	}
	return called
}

func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// WriteNew writes content, without the user's keys, to a new private file. An existing file is an
// error.
func WriteNew(world World, path, dir string, content []byte) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && world.Home != "" {
		path = filepath.Join(world.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	secrets := tools.SecretsOf(world.Environ, world.Home)
	content = []byte(secrets.Hide(string(content)))
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return path, fmt.Errorf("%s already exists and will not be overwritten; choose another file", path)
	case errors.Is(err, os.ErrNotExist):
		return path, fmt.Errorf("there is no directory %s; make it, or choose another file", filepath.Dir(path))
	case err != nil:
		return path, fmt.Errorf("export: %w", err)
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return path, fmt.Errorf("export: %w; the file may be incomplete", err)
	}
	return path, nil
}

// tempDir is the parent of the socket directory if XDG_RUNTIME_DIR is not usable.
const tempDir = "/tmp"

// DoorPlace returns the directory that holds the sockets of running conversations.
func (w World) DoorPlace() string { return door.Place(w.Getenv("XDG_RUNTIME_DIR"), tempDir, w.Home) }
