package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Resolve follows symbolic links to the file that they name, which need not exist
// yet: people keep such files in a repository of their own, and a rename over the
// link would cut that tie.
func Resolve(path string) (string, error) {
	for range 40 {
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link, or not there; opening it will tell
		}
		if !filepath.IsAbs(link) {
			// Not cleaned: the directory may itself be a link, and .. is then another place.
			link = filepath.Dir(path) + string(filepath.Separator) + link
		}
		path = link
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// HiddenBeside is a hidden name next to path.
func HiddenBeside(path, suffix string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+suffix)
}

// durability is what a change of a file survives. A crash of Marvin it always does.
type durability int

const (
	// Fleeting: a power cut may leave neither the old content nor the new one.
	Fleeting durability = iota
	// whole: a power cut leaves the old content or the new one.
	Durable
	// Lasting: what was reported as written is there after a power cut.
	Lasting
)

// Replace writes data to path, which is resolved and locked by the caller. Readers see the old
// content or the new one, also after a crash.
func Replace(path string, data []byte, survives durability) error {
	return replaceKeeping(path, "", data, survives)
}

// replaceKeeping is [Replace], with the old content under the name kept as well; "" keeps it
// nowhere. The old file has no other name before the new content is written.
func replaceKeeping(path, kept string, data []byte, survives durability) error {
	// One fixed name, as only the owner of the lock writes: a file that a killed process
	// left is removed here.
	temporary := HiddenBeside(path, ".tmp")
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := WriteNew(temporary, data, survives >= Durable); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w; what was there before is unchanged", path, err), RemoveIfThere(temporary))
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

// nameAs gives a file another name, and says how to take that back. Where the file system has
// no hard links the file is without its old name until it is replaced.
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
	_, err = file.Write(data)
	if err == nil {
		err = file.Chmod(0o600) // the umask may have taken away our own bits
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

func SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// AppendTo adds to a private file in one write, without waiting for the disk: after a
// power cut the last lines may be missing or NULs.
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

// MakePrivate corrects a mode that a umask, or a looser Marvin, gave.
func MakePrivate(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Mode().Perm() == 0o600 {
		return err
	}
	return file.Chmod(0o600)
}
