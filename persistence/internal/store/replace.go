package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Resolve follows symbolic links to the final file, which need not exist. Configuration files can
// be links into a user's repository, and a rename would replace the link.
func Resolve(path string) (string, error) {
	for range 40 {
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil // path is not a link, does not exist, or cannot be opened
		}
		if !filepath.IsAbs(link) {
			// filepath.Join would remove "..". If filepath.Dir(path) is a link, the result would be
			// wrong.
			link = filepath.Dir(path) + string(filepath.Separator) + link
		}
		path = link
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// HiddenBeside inserts a dot before the file name in a path and appends a suffix.
func HiddenBeside(path, suffix string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+suffix)
}

// A durability determines whether a change to a file survives a power cut. Every change survives a
// crash of Marvin.
type durability int

const (
	// Fleeting means that a power cut can destroy both the old and the new content.
	Fleeting durability = iota
	// Durable means that either the old or the new content survives a power cut.
	Durable
	// Lasting means that the new content survives a power cut once the write has succeeded.
	Lasting
)

// Replace writes data to path, which the caller has resolved and locked. Readers see the old or the
// new content, even after a crash.
func Replace(path string, data []byte, survives durability) error {
	return replaceKeeping(path, "", data, survives)
}

// replaceKeeping is like [Replace], but it moves the old file to a second path. If the second path
// is empty, the old file is not kept. The new content is written before the old file is moved.
func replaceKeeping(path, kept string, data []byte, survives durability) error {
	// The temporary name is always the same, because only the lock holder writes. An existing file
	// with this name was left by a killed process.
	temporary := HiddenBeside(path, ".tmp")
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := WriteNew(temporary, data, survives >= Durable); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w; its earlier content is unchanged", path, err), RemoveIfThere(temporary))
	}
	undo := func() error { return nil }
	if kept != "" {
		var err error
		if undo, err = nameAs(path, kept); err != nil {
			return errors.Join(fmt.Errorf("set the damaged file aside: %w", err), RemoveIfThere(temporary))
		}
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(err, undo(), RemoveIfThere(temporary))
	}
	if survives == Lasting {
		return SyncDir(filepath.Dir(path))
	}
	return nil
}

// nameAs gives a file a second name. The returned function removes that name. On a file system
// without hard links, nameAs renames the file, and the returned function restores the first name.
func nameAs(path, other string) (undo func() error, err error) {
	if os.Link(path, other) == nil {
		return func() error { return os.Remove(other) }, nil
	}
	if err := os.Rename(path, other); err != nil {
		return nil, err
	}
	return func() error { return os.Rename(other, path) }, nil
}

func WriteNew(path string, data []byte, sync bool) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return fill(file, data, sync)
}

func fill(file *os.File, data []byte, sync bool) error {
	_, err := file.Write(data)
	if err == nil {
		err = file.Chmod(0o600) // the umask may have removed the owner's own permissions
	}
	if err == nil && sync {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func RemoveIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func SyncDir(path string) error { return syncOpened(os.Open, path) }

func syncOpened(open func(string) (*os.File, error), path string) error {
	dir, err := open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// AppendTo appends to a private file in one write, without waiting for the disk. After a power cut
// the last lines may be missing or consist of NUL bytes.
func AppendTo(path string, data []byte) error {
	file, err := OpenToAppend(path)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// OpenToAppend opens a private file for appending.
func OpenToAppend(path string) (*os.File, error) {
	file, err := OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := MakePrivate(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// MakePrivate corrects a file mode that a umask or an older version of Marvin set.
func MakePrivate(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Mode().Perm() == 0o600 {
		return err
	}
	return file.Chmod(0o600)
}
