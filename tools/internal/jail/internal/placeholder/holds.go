// Package placeholder keeps commands from creating certain paths. A mount can protect only an
// existing path, so the package creates placeholders. It removes the placeholders after the
// commands have ended, even if Marvin was killed.
package placeholder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"marvin/tools/internal/jail/internal/disk"
)

// Table counts the commands that need each placeholder. Removing a placeholder removes the mounts
// on it in every jail, so a placeholder stays until no command needs it. Each Marvin process holds
// a shared lock on the parent directory of every placeholder that its commands need. If a command
// outlives its Marvin process, [LivingMounts] finds the command's mounts, which the command cannot
// remove. The zero Table is empty.
type Table struct {
	mu          sync.Mutex
	held        map[string]*hold
	book        string      // see [Table.Begin]
	othersEnded func() bool // see [Table.Begin]
	said        map[string]bool
	// seen[path] is true if the previous placeholder at the path was removed.
	seen map[string]bool

	unsettled unsettled // finished commands whose placeholders may still exist
}

type hold struct {
	Absence
	users int
	lock  *os.File
}

// Take creates placeholders for missing paths. It does not change existing paths, such as the
// placeholders of a killed Marvin process.
func (h *Table) Take(missing []Absence) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, one := range missing {
		if err := h.takeOne(one); err != nil {
			h.drop(missing[:i], false, false)
			return fmt.Errorf("protect %s, which does not exist: %w", one.Path, err)
		}
	}
	return nil
}

func (h *Table) takeOne(one Absence) error {
	if found := h.held[one.Path]; found != nil {
		found.users++
		return nil
	}
	if err := h.note(one); err != nil {
		return err
	}
	lock, err := os.Open(filepath.Dir(one.Path))
	if err != nil {
		return err
	}
	// If another program has locked the directory, this process will not remove the placeholder.
	if !sharePatiently(lock) {
		_ = lock.Close()
		lock = nil
	}
	err = one.create()
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = nil // the command has no more rights than this process
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		if lock != nil {
			disk.Release(lock)
		}
		return err
	}
	if h.held == nil {
		h.held = map[string]*hold{}
	}
	h.held[one.Path] = &hold{Absence: one, users: 1, lock: lock}
	return nil
}

// Begin sets the path of the book, which is a file that lists the created placeholders. If this
// process is killed, the next Marvin process removes these placeholders. othersEnded reports
// whether another Marvin process has ended. The jobs of that process may still need placeholders.
func (h *Table) Begin(book string, othersEnded func() bool) {
	h.book, h.othersEnded = book, othersEnded
}

// sharePatiently takes a shared lock. It retries for half a second, because another Marvin process
// may hold the lock for a few milliseconds while it removes placeholders.
func sharePatiently(lock *os.File) bool {
	for pause := time.Millisecond; pause < 300*time.Millisecond; pause *= 2 {
		if disk.Share(lock) {
			return true
		}
		time.Sleep(pause)
	}
	return disk.Share(lock)
}

// note appends a record of a placeholder to the book file, unless the file already contains one.
// The caller creates the placeholder afterward, so a crash leaves no unrecorded placeholder.
func (h *Table) note(one Absence) error {
	if h.book == "" || h.said[one.Path] {
		return nil
	}
	file, err := os.OpenFile(h.book, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(one.record())
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if h.said == nil {
		h.said = map[string]bool{}
	}
	h.said[one.Path] = true
	return nil
}

// Leave removes the placeholders of a command, unless another command needs them. If running is
// true, the command still has processes, so the placeholders stay. If gone is true, all of the
// processes have ended.
func (h *Table) Leave(missing []Absence, running, gone bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(missing, running, gone)
}

// drop removes, in reverse order, the placeholders that no command needs. If gone is false, drop
// first searches for living processes with mounts on these placeholders. Otherwise, drop searches
// only if a path has no previous placeholder, if the previous one was not removed, or if another
// Marvin process has ended.
func (h *Table) drop(missing []Absence, running, gone bool) {
	var last []*hold
	look := !gone
	for _, one := range slices.Backward(missing) {
		found := h.held[one.Path]
		if found == nil {
			continue
		}
		if found.users--; found.users > 0 {
			continue
		}
		delete(h.held, one.Path)
		if found.lock != nil && running {
			disk.Release(found.lock)
		} else if found.lock != nil {
			last = append(last, found)
			look = look || !h.seen[found.Path]
		}
	}
	if len(last) > 0 {
		look = look || h.othersEnded != nil && h.othersEnded()
	}
	clear(last, look)
	for _, found := range last {
		if h.seen == nil {
			h.seen = map[string]bool{}
		}
		h.seen[found.Path] = !disk.Exists(found.Path)
	}
}

// clear removes placeholders and releases their locks. It keeps the placeholders in directories
// that another Marvin process has locked. If checkMounts is true, it also keeps the placeholders on
// which a living process has a mount.
func clear(all []*hold, checkMounts bool) {
	// The map has only one lock per directory: a second lock would make [disk.Claim] fail.
	locks := map[string]*os.File{}
	for _, one := range all {
		if dir := filepath.Dir(one.Path); locks[dir] == nil {
			locks[dir] = one.lock
		} else {
			disk.Release(one.lock)
		}
	}
	for dir, lock := range locks {
		defer disk.Release(lock)
		if !disk.Claim(lock) {
			delete(locks, dir)
		}
	}
	if len(locks) == 0 {
		return
	}
	var needed map[string]bool
	if checkMounts {
		needed = LivingMounts() // the locks are held, so no new command can start
	}
	for _, one := range all {
		if locks[filepath.Dir(one.Path)] != nil && !needed[one.Path] {
			one.remove()
		}
	}
}

// Abandon forgets all placeholders without removing them, and releases the locks.
func (h *Table) Abandon() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, found := range h.held {
		if found.lock != nil {
			disk.Release(found.lock)
		}
	}
	h.held, h.said, h.seen = nil, nil, nil
}

// Discard passes the placeholders in a book (see [Table.Begin]) to [Remove], and returns the
// result. If the book does not exist, Discard returns true.
func Discard(book string) bool {
	text, err := os.ReadFile(book)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	all := parseRecord(string(text))
	slices.Reverse(all)
	return Remove(all)
}

// Remove removes, in order, all placeholders that are no longer needed. It returns false if a
// placeholder remains in a directory that can be opened.
func Remove(all []Absence) bool {
	var left []*hold
	for _, one := range all {
		if !one.Intact() {
			continue
		}
		if lock, err := os.Open(filepath.Dir(one.Path)); err == nil {
			left = append(left, &hold{Absence: one, lock: lock})
		}
	}
	clear(left, true)
	return !slices.ContainsFunc(left, func(one *hold) bool { return one.Intact() })
}
