package jail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/placeholder"
)

// tempDir is the private /tmp of a Marvin process. The process locks the directory until it exits,
// so that [sweep] finds the directories of killed processes.
type tempDir struct {
	whole string // the parent directory, which also contains the lock file
	path  string
	lock  *os.File
}

const (
	tempPrefix = "marvin-sandbox-"
	tempName   = "tmp"
	bookName   = "made"        // the file that lists the placeholders
	namesFile  = "resolv.conf" // the DNS settings of commands that can contact only certain hosts
)

func newTempDir(in string, keep func(path string)) (*tempDir, error) {
	if in == "" {
		in = os.TempDir()
	}
	in, err := filepath.EvalSymlinks(in)
	if err != nil {
		return nil, err
	}
	sweep(in, keep)
	whole, err := os.MkdirTemp(in, tempPrefix) // other users cannot open this directory
	if err != nil {
		return nil, err
	}
	// The file gets its name after it is locked. Otherwise a sweep could find it unlocked.
	name := filepath.Join(whole, "lock")
	lock, err := os.OpenFile(name+".new", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil && !disk.Claim(lock) {
		err = errors.New("the directory cannot be locked; set TMPDIR to a directory on a local disk")
	}
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	path := filepath.Join(whole, tempName)
	if err == nil {
		err = os.Mkdir(path, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(whole, namesFile), []byte("nameserver 127.0.0.1\noptions timeout:5 attempts:1\n"), 0o644)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare %s: %w", whole, err), os.RemoveAll(whole))
	}
	return &tempDir{whole: whole, path: path, lock: lock}, nil
}

// remove releases the lock. If no running job needs the directory, remove first deletes the
// directory.
func (t *tempDir) remove() error {
	var err error
	if discardPlaceholders(t.whole) {
		err = os.RemoveAll(t.whole)
	}
	disk.Release(t.lock)
	return err
}

// discardPlaceholders removes placeholders, except those under a running job's mounts, because the
// removal would end these mounts. The result is true if no placeholder is left and no process uses
// the private directory.
func discardPlaceholders(whole string) bool {
	return placeholder.Discard(filepath.Join(whole, bookName)) && !placeholder.LivingMounts()[filepath.Join(whole, tempName)]
}

// othersEnded reports whether another Marvin process has ended without removing its private
// directory. Jobs of the ended process can still be running.
func othersEnded(whole string) bool {
	entries, err := os.ReadDir(filepath.Dir(whole))
	if err != nil {
		return true
	}
	return slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		if !strings.HasPrefix(entry.Name(), tempPrefix) || entry.Name() == filepath.Base(whole) {
			return false
		}
		lock, err := os.OpenFile(filepath.Join(filepath.Dir(whole), entry.Name(), "lock"), os.O_RDWR|disk.NoFollow, 0)
		if err != nil {
			return false // the lock file belongs to another user or does not exist yet
		}
		defer disk.Release(lock)
		return disk.Claim(lock)
	})
}

// sweep removes the directories of this user's killed Marvin processes from the given directory.
// Before each removal, sweep passes the path of the private /tmp to the callback.
func sweep(in string, keep func(path string)) {
	in, err := filepath.EvalSymlinks(in) // mount tables contain resolved paths
	if err != nil {
		return
	}
	entries, err := os.ReadDir(in)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), tempPrefix) || !entry.IsDir() {
			continue
		}
		whole := filepath.Join(in, entry.Name())
		lock, err := os.OpenFile(filepath.Join(whole, "lock"), os.O_RDWR|disk.NoFollow, 0)
		if err != nil {
			continue // another user's, or not completed yet
		}
		if disk.Claim(lock) && discardPlaceholders(whole) {
			keep(filepath.Join(whole, tempName))
			_ = os.RemoveAll(whole)
		}
		disk.Release(lock)
	}
}

// Sweep cleans up after killed Marvin processes by repairing their commands' changes. If the
// repository in dir contains a placeholder, Sweep also removes leftover placeholders and private
// directories.
func (k *Keeper) Sweep(dir string) {
	if k == nil {
		return
	}
	k.recover()
	git := filepath.Join(dir, ".git")
	rests := []placeholder.Absence{{Path: filepath.Join(git, "commondir"), Content: ".\n"}, {Path: filepath.Join(git, "modules")}, {Path: filepath.Join(git, "worktrees")}}
	if !slices.ContainsFunc(rests, placeholder.Absence.Intact) && !(placeholder.Absence{Path: git}).Intact() {
		return
	}
	in := k.config.Temp
	if in == "" {
		in = os.TempDir()
	}
	k.mu.Lock()
	sweep(in, k.rescue)
	k.mu.Unlock()
	placeholder.Remove(rests) // dir can contain placeholders that no list mentions
}
