package copilot

import (
	"errors"
	"os"
	"path/filepath"
)

const (
	scratchName = "marvin-copilot-held-" // and something random
	// A directory can be swept away between its making and its locking. That this happens
	// to so many of them is no accident any more.
	scratchTries = 10
)

// scratch makes a directory that stays ours while it is held open: its lock ends with the process.
// It first removes directories of dead processes, which may hold conversations.
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

// hold locks a directory, unless another process holds it or it is gone.
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
	_ = held.Close() // it was only looked at
	return nil
}

// sweep removes the directories whose owner is dead.
func sweep(temporary string) {
	found, _ := filepath.Glob(filepath.Join(temporary, scratchName+"*")) // the pattern is well formed
	for _, dir := range found {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || !mine(info) {
			continue
		}
		if held := hold(dir); held != nil {
			_ = os.RemoveAll(dir) // else the next start will
			_ = held.Close()
		}
	}
}
