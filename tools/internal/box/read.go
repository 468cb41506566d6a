package box

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// File is an open regular file.
type File struct {
	*os.File
	Name string // path relative to the opened directory, with links resolved
	Info fs.FileInfo
}

// Open opens a regular file for reading. It never blocks, because it refuses pipes, devices and
// sockets. It checks the type both before and after opening.
func (d *Dir) Open(name string) (*File, error) {
	at, err := d.resolve(name, reading)
	if err != nil {
		return nil, err
	}
	if err := d.wantFile(name, at); err != nil {
		return nil, err
	}
	return d.openAccepted("open", name, at)
}

// openAccepted opens a file that [Dir.wantFile] has accepted. In error messages, verb names the
// operation, for example "open".
func (d *Dir) openAccepted(verb, name string, at found) (*File, error) {
	parent, err := d.descend(at.parent(), false, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = parent.Close() }()
	file, err := openRegular(parent, at.base())
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", verb, quoteName(name), err)
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s %s: %w", verb, quoteName(name), causeOf(err))
	}
	return &File{File: file, Name: at.name(), Info: info}, nil
}

// wantFile returns an error if the file does not exist or is not a regular file.
func (d *Dir) wantFile(name string, at found) error {
	switch {
	case at.info == nil:
		return d.missing(name, at)
	case at.info.IsDir():
		listing := cmp.Or(strings.Join(d.list(at.name(), 1, treeLimit), "\n"), "  (nothing)")
		return &Refusal{
			Err:  fmt.Errorf("%s is a directory: %w", quoteName(name), ErrNotRegular),
			Next: "Give the path of a file in this directory. It contains:\n" + listing,
		}
	case !at.info.Mode().IsRegular():
		return d.refuse(fmt.Errorf("%s is %s: %w", quoteName(name), kindOf(at.info.Mode()), ErrNotRegular), "Only regular files can be read or changed.")
	}
	return nil
}

// openRegular opens a regular file for reading. It returns an error if the file is replaced during
// the call.
func openRegular(parent *os.Root, base string) (*os.File, error) {
	before, err := parent.Lstat(base)
	if err != nil {
		return nil, causeOf(err)
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("it is %s: %w", kindOf(before.Mode()), ErrNotRegular)
	}
	// With O_NONBLOCK, opening a file that has become a pipe does not wait for a writer.
	file, err := parent.OpenFile(base, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, causeOf(err)
	}
	after, err := file.Stat()
	switch {
	case err != nil:
		err = causeOf(err)
	case !os.SameFile(before, after):
		err = ErrChanged
	case fromKernel(file):
		err = fmt.Errorf("it is a view of the running system, not a file on disk: %w", ErrNotRegular)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// readAll returns the content of a file, or ErrTooLarge if the file is larger than the given number
// of bytes.
func readAll(file *os.File, limit int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, causeOf(err)
	}
	if int64(len(content)) > limit {
		return nil, fmt.Errorf("more than %d bytes: %w", limit, ErrTooLarge)
	}
	return content, nil
}

// List returns the entries of a directory, sorted by name.
func (d *Dir) List(name string) ([]fs.DirEntry, error) {
	at, err := d.resolve(name, reading)
	if err != nil {
		return nil, err
	}
	if at.info == nil {
		return nil, d.missing(name, at)
	}
	if !at.info.IsDir() {
		return nil, d.refuse(fmt.Errorf("%s is %s, not a directory", quoteName(name), kindOf(at.info.Mode())), "")
	}
	root, err := d.descend(at.parts, false, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", quoteName(name), causeOf(err))
	}
	return entries, nil
}

// Mkdir creates a directory and its missing parents. In the returned path, links are resolved. If
// the name already exists, the error wraps fs.ErrExist.
func (d *Dir) Mkdir(name string) (string, error) {
	at, err := d.resolve(name, writing)
	if err != nil {
		return "", err
	}
	if at.info != nil {
		return "", d.refuse(fmt.Errorf("%s already exists, as %s: %w", quoteName(name), kindOf(at.info.Mode()), fs.ErrExist), "")
	}
	root, err := d.descend(at.parts, true, nil)
	if err != nil {
		return "", err
	}
	return at.name(), errors.Join(root.Close())
}

// Rmdir removes an empty directory. If name is a symbolic link to a directory, Rmdir removes the
// directory and not the link.
func (d *Dir) Rmdir(name string) error {
	at, err := d.resolve(name, writing)
	switch {
	case err != nil:
		return err
	case at.info == nil:
		return fmt.Errorf("%s: %w", quoteName(name), fs.ErrNotExist)
	case !at.info.IsDir() || len(at.parts) == 0:
		return fmt.Errorf("%s is %s, and Marvin does not remove it", quoteName(name), kindOf(at.info.Mode()))
	}
	last := len(at.parts) - 1
	root, err := d.descend(at.parts[:last], false, nil)
	if err != nil {
		return err
	}
	if err := root.Remove(at.parts[last]); err != nil {
		return errors.Join(fmt.Errorf("remove %s: %w", quoteName(name), causeOf(err)), root.Close())
	}
	return root.Close()
}
