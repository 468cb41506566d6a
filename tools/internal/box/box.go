package box

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// These errors say why a path is refused. Test for them with errors.Is. A missing file is reported
// as fs.ErrNotExist, and an unexpected file as fs.ErrExist.
var (
	ErrOutside    = errors.New("outside of the directory")
	ErrProtected  = errors.New("protected")
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("too large")
	ErrChanged    = errors.New("it changed since it was read")
)

// Refusal wraps an error, and adds advice for the model.
type Refusal struct {
	Err  error
	Next string
}

func (r *Refusal) Error() string { return r.Err.Error() + "\n" + r.Next }

func (r *Refusal) Unwrap() error { return r.Err }

// Dir is an open directory. Its methods cannot reach files outside the directory, and are safe for
// concurrent use.
type Dir struct {
	contents
	real    string      // path without symbolic links
	guarded guardOnDisk // the protected places
}

// Open opens an existing directory as the working directory.
func Open(path string) (*Dir, error) { return OpenAs("Working directory", path) }

// OpenAs opens an existing directory. Errors refer to the directory by the given kind, for example
// "Working directory".
func OpenAs(kind, path string) (*Dir, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open directory %s: %w", path, err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open directory %s: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path // the directory was removed after it was opened; the handle still works
	}
	return &Dir{contents: contents{root: root, kind: kind, path: path}, real: real}, nil
}

// Sub opens a directory below d. It never follows a link out of d. If create is true, it creates
// missing directories.
func (d *Dir) Sub(kind, name string, create bool) (*Dir, error) {
	found, err := d.resolve(name, reading)
	if err != nil {
		return nil, err
	}
	if !create && found.info == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if found.info != nil && !found.info.IsDir() {
		return nil, fmt.Errorf("%s is %s, not a directory", name, kindOf(found.info.Mode()))
	}
	root, err := d.descend(found.parts, create, nil)
	if err != nil {
		return nil, err
	}
	return &Dir{
		contents: contents{root: root, kind: kind, path: filepath.Join(d.path, found.name())},
		real:     filepath.Join(d.real, found.name()), guarded: guardOnDisk{Guard: d.guarded.Guard},
	}, nil
}

// Close closes the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Path returns the absolute path of the directory.
func (d *Dir) Path() string { return d.path }

// Abs returns the absolute path of a file in the directory. The file need not exist.
func (d *Dir) Abs(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Stat describes a file below d. If the file does not exist, the error wraps fs.ErrNotExist and
// does not suggest similar names.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	at, err := d.resolve(name, reading)
	if err != nil {
		return nil, err
	}
	if at.info == nil {
		return nil, &fs.PathError{Op: "look at", Path: name, Err: fs.ErrNotExist}
	}
	return at.info, nil
}

// kindOf returns a phrase for a file type, such as "a directory".
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}
