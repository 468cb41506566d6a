package copilot

import (
	"errors"
	"os"
	"path/filepath"
)

const (
	scratchName = "marvin-copilot-held-" // the beginning of the directory's name, before random characters
	// Another process may remove a directory between its creation and its locking. If all these
	// tries fail, the failure is not due to chance.
	scratchTries = 10
)

// scratch makes and locks a directory for this process. The lock is released when the process ends.
// Before that, scratch removes the directories of dead processes, which may contain conversations.
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

// The function "hold" locks a directory, unless another process holds it or it no longer exists.
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

// sweep removes the directories of dead processes.
func sweep(temporary string) {
	found, _ := filepath.Glob(filepath.Join(temporary, scratchName+"*")) // the pattern is valid
	for _, dir := range found {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || !mine(info) {
			continue
		}
		if held := hold(dir); held != nil {
			_ = os.RemoveAll(dir) // after an error the next start removes it
			_ = held.Close()
		}
	}
}
