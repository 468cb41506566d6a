package copilot

import (
	"errors"
	"os"
	"path/filepath"
)

const (
	scratchName = "marvin-copilot-held-" // the prefix of the directory's name
	// scratchTries is the maximum number of attempts to make a directory. An attempt fails if
	// another process removes the directory before it is locked.
	scratchTries = 10
)

// scratch removes the directories of dead processes, because these directories may contain
// conversations. It then creates a directory and locks it until the returned file is closed.
func scratch(temporary string) (dir string, held *os.File, err error) {
	sweep(temporary)
	for range scratchTries {
		if dir, err = os.MkdirTemp(temporary, scratchName); err != nil {
			return "", nil, err
		}
		if held = hold(dir); held != nil {
			return dir, held, nil
		}
	}
	return "", nil, errors.New("others take it away")
}

// hold opens and locks a directory. The result is nil if, for example, another process has locked
// or removed the directory.
func hold(dir string) *os.File {
	held, err := os.Open(dir)
	if err != nil {
		return nil
	}
	if free, err := lock(held); err == nil && free {
		if _, err := os.Lstat(dir); err == nil {
			return held
		}
	}
	_ = held.Close() // nothing was written
	return nil
}

// sweep deletes the scratch directories of processes that no longer run.
func sweep(temporary string) {
	found, _ := filepath.Glob(filepath.Join(temporary, scratchName+"*")) // the pattern is valid
	for _, dir := range found {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || !mine(info) {
			continue
		}
		if held := hold(dir); held != nil {
			_ = os.RemoveAll(dir) // after a failure, the next start tries again
			_ = held.Close()
		}
	}
}
