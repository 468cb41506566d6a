package jail

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// holds are the things made for absent names, with how many commands need each. A
// mount over a name ends when the name is removed, also from outside: so a name goes
// only when the last command that needs it is gone, of any Marvin. Each holds a
// shared lock on the directory around it; whoever can make the lock exclusive is the
// last.
type holds struct {
	mu   sync.Mutex
	held map[string]*hold
}

type hold struct {
	absence
	users int
	lock  *os.File
}

// take makes what is missing. What already exists, as a rest of a killed Marvin or by
// the user meanwhile, serves as well.
func (h *holds) take(missing []absence) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, one := range missing {
		if err := h.takeOne(one); err != nil {
			for _, taken := range missing[:i] {
				h.drop(taken)
			}
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
	lock, err := os.Open(filepath.Dir(one.path))
	if err != nil {
		return err
	}
	if !share(lock) {
		// Another Marvin is just leaving, and holds it for some microseconds; or
		// somebody else locks directories. Then the name stays, which is harmless.
		_ = lock.Close()
		lock = nil
	}
	err = one.make()
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = nil // then the command, who is the same user, cannot make it either
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		if lock != nil {
			_ = lock.Close()
		}
		return err
	}
	if h.held == nil {
		h.held = map[string]*hold{}
	}
	h.held[one.path] = &hold{absence: one, users: 1, lock: lock}
	return nil
}

func (a absence) make() error {
	if a.content == "" {
		return os.Mkdir(a.path, 0o755)
	}
	file, err := os.OpenFile(a.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(a.content)
	return errors.Join(err, file.Close())
}

// leave gives back what a command needed.
func (h *holds) leave(missing []absence) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := len(missing) - 1; i >= 0; i-- {
		h.drop(missing[i])
	}
}

func (h *holds) drop(one absence) {
	found := h.held[one.path]
	if found == nil {
		return
	}
	if found.users--; found.users > 0 {
		return
	}
	delete(h.held, one.path)
	if found.lock == nil {
		return
	}
	if claim(found.lock) {
		found.remove()
	}
	_ = found.lock.Close()
}

// remove takes the thing away if it is still as it was made.
func (a absence) remove() {
	if a.content == "" {
		_ = syscall.Rmdir(a.path) // fails if there is something in it, as it should
		return
	}
	if now, err := os.ReadFile(a.path); err == nil && string(now) == a.content {
		_ = os.Remove(a.path)
	}
}
