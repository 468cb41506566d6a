package store

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"marvin/persistence/projectdir"
)

// LogsDir is the directory in a project that holds Marvin's logs.
const LogsDir = ".marvin/logs"

// MakeLogs creates a log directory and its parent. If the directory is [LogsDir], MakeLogs hides
// the directory from git, so that git_commit does not commit conversations.
func MakeLogs(root *os.Root, under string) error {
	if parent := path.Dir(under); parent != "." {
		if _, err := MakeInside(root, parent); err != nil {
			return err
		}
	}
	isNew, err := MakeInside(root, under)
	if err == nil && under == LogsDir {
		err = Hide(root, under, isNew)
	}
	return err
}

// Hide makes git ignore a directory in .marvin. It adds a .gitignore to a new directory, and
// creates .marvin/.gitignore if that file is missing.
func Hide(root *os.Root, name string, isNew bool) error {
	if isNew {
		err := WriteInside(root, path.Join(name, ".gitignore"), []byte("*\n"))
		if err != nil && !errors.Is(err, fs.ErrExist) { // another window may have created the file
			return err
		}
	}
	return projectdir.Hide(root, path.Base(name))
}

// MakeInside creates a missing directory with mode 0700, regardless of the umask. An existing
// directory is unchanged.
func MakeInside(root *os.Root, name string) (isNew bool, err error) {
	err = root.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, root.Chmod(name, 0o700)
}

// WriteInside creates and syncs a file. If writing fails, the partial file is removed.
func WriteInside(root *os.Root, name string, data []byte) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = fill(file, data, true); err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return nil
}

// SyncUp syncs the directory of a new file and every parent directory up to the root. Each of these
// directories may be new.
func SyncUp(root *os.Root, name string) error {
	for inside := path.Dir(name); ; inside = path.Dir(inside) {
		if err := syncOpened(root.Open, inside); err != nil || inside == "." {
			return err
		}
	}
}
