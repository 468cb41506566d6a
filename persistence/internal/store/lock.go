package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	// LockWait is the maximum time to wait for a lock. A change to a file takes less than 1 ms.
	LockWait  = 5 * time.Second
	LockRetry = time.Millisecond
)

// ErrLocked reports that another process is changing the file.
var ErrLocked = errors.New("in use by another process")

// mutexes serialize the goroutines of this process, as flock serializes processes. A mutex exists
// while a goroutine holds it or waits for it.
type mutexes struct {
	mu  sync.Mutex
	all map[string]*shared // by resolved path
}

type shared struct {
	sync.Mutex
	users int
}

// enter locks the mutex for a path. If another goroutine uses the mutex, enter waits if wait is
// true, and otherwise returns false at once.
func (m *mutexes) enter(path string, wait bool) (leave func(), entered bool) {
	m.mu.Lock()
	one := m.all[path]
	if one != nil && !wait {
		m.mu.Unlock()
		return nil, false
	}
	if one == nil {
		one = &shared{}
		if m.all == nil {
			m.all = map[string]*shared{}
		}
		m.all[path] = one
	}
	one.users++
	m.mu.Unlock()
	one.Lock()
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		one.Unlock()
		if one.users--; one.users == 0 {
			delete(m.all, path)
		}
	}, true
}

// Lock locks the file at path for one writer. The caller must resolve symbolic links in path. If
// another writer still has the lock after timeout, Lock returns [ErrLocked]. If timeout is 0, Lock
// does not wait.
//
// The kernel releases the lock when the process ends, so the lock is never stale. The lock file is
// never removed. Otherwise, two writers could lock different files with the same name.
func (h *Home) Lock(path string, timeout time.Duration) (unlock func() error, err error) {
	// No timeout is needed here, because the goroutine that holds the mutex has a timeout for the
	// file lock.
	leave, entered := h.mutexes.enter(path, timeout > 0)
	if !entered {
		return nil, ErrLocked
	}
	file := NewLock(HiddenBeside(path, ".lock"))
	locked, err := LockWithin(file, timeout)
	if !locked {
		leave()
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("%s has been %w for %s; end that process and try again", path, ErrLocked, timeout)
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() error {
		defer leave()
		return file.Close()
	}, nil
}

// LockWithin tries to lock a file until timeout has passed. The first attempt is made before the
// timer starts, because the timer can expire while the process is suspended.
func LockWithin(file *flock.Flock, timeout time.Duration) (bool, error) {
	if locked, err := file.TryLock(); locked || err != nil || timeout == 0 {
		return locked, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return file.TryLockContext(ctx, LockRetry)
}
