package copilot

import (
	"os"
	"path/filepath"
	"time"
)

const (
	scratchName = "marvin-copilot-" // and something random
	ownerName   = "owner"           // the file in it that its owner has locked
	// What an owner that was killed between making a directory and locking it left is
	// known by its age.
	ownerless = time.Hour
)

// scratch makes a directory that is its maker's as long as the file is open: the lock
// ends with the process, however that ends. What dead ones left is taken away first:
// conversations may be in it.
func scratch(temporary string) (dir string, owned *os.File, err error) {
	if dir, err = os.MkdirTemp(temporary, scratchName); err != nil {
		return "", nil, err
	}
	owned, err = os.OpenFile(filepath.Join(dir, ownerName), os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		_, err = lock(owned)
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", nil, err
	}
	if made, err := owned.Stat(); err == nil {
		sweep(temporary, made.ModTime())
	}
	return dir, owned, nil
}

// sweep removes the directories whose owner is dead.
func sweep(temporary string, now time.Time) {
	found, _ := filepath.Glob(filepath.Join(temporary, scratchName+"*")) // the pattern is well formed
	for _, dir := range found {
		if abandoned(dir, now) {
			_ = os.RemoveAll(dir) // else the next start will
		}
	}
}

// abandoned reports whether a directory is one of ours and nobody holds it.
func abandoned(dir string, now time.Time) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !mine(info) {
		return false
	}
	held, err := os.OpenFile(filepath.Join(dir, ownerName), os.O_RDWR, 0)
	if os.IsNotExist(err) {
		return now.Sub(info.ModTime()) > ownerless
	}
	if err != nil {
		return false
	}
	defer held.Close()
	free, err := lock(held)
	return err == nil && free
}
