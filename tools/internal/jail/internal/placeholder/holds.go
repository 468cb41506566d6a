// Package placeholder makes the names that a command must not make, for as long as commands run: a
// missing name cannot be protected by a mount. It removes them again, also those of a killed Marvin.
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

// Holds are placeholders for absent names, with the number of commands that need each. A mount
// over a name ends when the name is removed, also from outside: so a name is removed only when no
// command needs it. Every Marvin that starts commands holds a shared lock on the parent directory;
// processes that outlive their Marvin are found by their mounts, which they cannot remove (see
// [Inhabited]). The zero value has none.
type Holds struct {
	mu   sync.Mutex
	held map[string]*hold
	book string // see [Holds.Begin]
	// othersEnded says whether other Marvins ended, whose jobs may need placeholders.
	othersEnded func() bool
	said        map[string]bool
	seen        map[string]bool // names without other users: see [Holds.drop]

	unsettled unsettled // commands that are over and were not waited for
}

type hold struct {
	Absence
	users int
	lock  *os.File
}

// Take creates missing placeholders. One that exists, from a killed Marvin or the user, serves as
// well.
func (h *Holds) Take(missing []Absence) error {
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

func (h *Holds) takeOne(one Absence) error {
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
	if !sharePatiently(lock) { // another program locks directories: the name stays
		_ = lock.Close()
		lock = nil
	}
	err = one.make()
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = nil // then the command, who is the same user, cannot make it either
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

// Begin writes down in a book, a file, what is made from now on, so that it can be removed after a
// kill. othersEnded says whether other Marvins ended, whose jobs may need placeholders.
func (h *Holds) Begin(book string, othersEnded func() bool) {
	h.book, h.othersEnded = book, othersEnded
}

// sharePatiently waits for a Marvin that is just leaving: as long as it looks for
// processes, some milliseconds.
func sharePatiently(lock *os.File) bool {
	for pause := time.Millisecond; pause < 300*time.Millisecond; pause *= 2 {
		if disk.Share(lock) {
			return true
		}
		time.Sleep(pause)
	}
	return disk.Share(lock)
}

// note writes down, once, what is going to be made.
func (h *Holds) note(one Absence) error {
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

// Leave releases a command's placeholders; running says that processes of it continue, gone that
// none does.
func (h *Holds) Leave(missing []Absence, running, gone bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(missing, running, gone)
}

// drop removes unneeded placeholders, the last first. If all our processes are gone, only jobs of
// ended Marvins may need them: existing ones are searched for once, later ones only after another
// Marvin ended.
func (h *Holds) drop(missing []Absence, running, gone bool) {
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

// clear removes what no other Marvin and no living process needs, and closes the locks.
// look says that such processes are possible.
func clear(all []*hold, look bool) {
	locks := map[string]*os.File{} // one for each directory: a second one would be in the way
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
	if look {
		needed = Inhabited() // asked when no process can start any more
	}
	for _, one := range all {
		if locks[filepath.Dir(one.Path)] != nil && !needed[one.Path] {
			one.remove()
		}
	}
}

// Abandon ends the use of everything.
func (h *Holds) Abandon() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, found := range h.held {
		if found.lock != nil {
			disk.Release(found.lock)
		}
	}
	h.held, h.said, h.seen = nil, nil, nil
}

// Discard removes what a book says was made, and reports whether nothing of it is left.
func Discard(book string) bool {
	text, err := os.ReadFile(book)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	all := recorded(string(text))
	slices.Reverse(all)
	return Remove(all)
}

// Remove removes placeholders that nobody needs any more, in this order. It reports whether none is
// left, apart from those in unreachable directories.
func Remove(all []Absence) bool {
	var left []*hold
	for _, one := range all {
		if !one.There() {
			continue
		}
		if lock, err := os.Open(filepath.Dir(one.Path)); err == nil {
			left = append(left, &hold{Absence: one, lock: lock})
		}
	}
	clear(left, true)
	return !slices.ContainsFunc(left, func(one *hold) bool { return one.There() })
}
