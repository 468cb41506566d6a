package jail

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
)

// holds are the placeholders for absent names, with the number of commands that need each. A mount
// over a name ends when the name is removed, also from outside: so a name is removed only when no
// command needs it. Every Marvin that starts commands holds a shared lock on the parent directory;
// processes that outlive their Marvin are found by their mounts, which they cannot remove (see
// [inhabited]).
type holds struct {
	mu   sync.Mutex
	held map[string]*hold
	book string // the file that says what was made, "" for none
	said map[string]bool
	seen map[string]bool // names without other users: see [holds.drop]

	unsettled unsettled // commands that are over and were not waited for
}

type hold struct {
	absence
	users int
	lock  *os.File
}

// take creates missing placeholders. One that exists, from a killed Marvin or the user, serves as
// well.
func (h *holds) take(missing []absence) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, one := range missing {
		if err := h.takeOne(one); err != nil {
			h.drop(missing[:i], false, false)
			return fmt.Errorf("protect %s, which does not exist: %w", one.path, err)
		}
	}
	return nil
}

func (h *holds) takeOne(one absence) error {
	if found := h.held[one.path]; found != nil {
		found.users++
		return nil
	}
	if err := h.note(one); err != nil {
		return err
	}
	lock, err := os.Open(filepath.Dir(one.path))
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
			release(lock)
		}
		return err
	}
	if h.held == nil {
		h.held = map[string]*hold{}
	}
	h.held[one.path] = &hold{absence: one, users: 1, lock: lock}
	return nil
}

// sharePatiently waits for a Marvin that is just leaving: as long as it looks for
// processes, some milliseconds.
func sharePatiently(lock *os.File) bool {
	for pause := time.Millisecond; pause < 300*time.Millisecond; pause *= 2 {
		if share(lock) {
			return true
		}
		time.Sleep(pause)
	}
	return share(lock)
}

// note writes down, once, what is going to be made.
func (h *holds) note(one absence) error {
	if h.book == "" || h.said[one.path] {
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
	h.said[one.path] = true
	return nil
}

// leave releases a command's placeholders; running says that processes of it continue, gone that
// none does.
func (h *holds) leave(missing []absence, running, gone bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(missing, running, gone)
}

// drop removes unneeded placeholders, the last first. If all our processes are gone, only jobs of
// ended Marvins may need them: existing ones are searched for once, later ones only after another
// Marvin ended.
func (h *holds) drop(missing []absence, running, gone bool) {
	var last []*hold
	look := !gone
	for _, one := range slices.Backward(missing) {
		found := h.held[one.path]
		if found == nil {
			continue
		}
		if found.users--; found.users > 0 {
			continue
		}
		delete(h.held, one.path)
		if found.lock != nil && running {
			release(found.lock)
		} else if found.lock != nil {
			last = append(last, found)
			look = look || !h.seen[found.path]
		}
	}
	if len(last) > 0 {
		look = look || h.book != "" && othersEnded(filepath.Dir(h.book))
	}
	clear(last, look)
	for _, found := range last {
		if h.seen == nil {
			h.seen = map[string]bool{}
		}
		h.seen[found.path] = !exists(found.path)
	}
}

// clear removes what no other Marvin and no living process needs, and closes the locks.
// look says that such processes are possible.
func clear(all []*hold, look bool) {
	locks := map[string]*os.File{} // one for each directory: a second one would be in the way
	for _, one := range all {
		if dir := filepath.Dir(one.path); locks[dir] == nil {
			locks[dir] = one.lock
		} else {
			release(one.lock)
		}
	}
	for dir, lock := range locks {
		defer release(lock)
		if !claim(lock) {
			delete(locks, dir)
		}
	}
	if len(locks) == 0 {
		return
	}
	var needed map[string]bool
	if look {
		needed = inhabited() // asked when no process can start any more
	}
	for _, one := range all {
		if locks[filepath.Dir(one.path)] != nil && !needed[one.path] {
			one.remove()
		}
	}
}

// abandon ends the use of everything.
func (h *holds) abandon() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, found := range h.held {
		if found.lock != nil {
			release(found.lock)
		}
	}
	h.held, h.said, h.seen = nil, nil, nil
}

// discard removes what a book says was made, and reports whether nothing of it is left.
func discard(book string) bool {
	text, err := os.ReadFile(book)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	var left []*hold
	for _, one := range slices.Backward(recorded(string(text))) {
		if !one.there() {
			continue
		}
		if lock, err := os.Open(filepath.Dir(one.path)); err == nil { // otherwise it is unreachable
			left = append(left, &hold{absence: one, lock: lock})
		}
	}
	clear(left, true)
	return !slices.ContainsFunc(left, func(one *hold) bool { return one.there() })
}
