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
	// LockWait is the maximum wait for another process. A change takes less than 1 ms.
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

// enter locks the mutex of a path. If another goroutine holds the mutex, enter waits for it, or
// fails if wait is false.
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

// Lock locks the file at path, which must be resolved, for one writer. If another writer still has
// the lock after timeout, it returns [ErrLocked]. If timeout is 0, it does not wait. The kernel
// releases the lock when the process ends, so the lock is never stale. The lock file is never
// removed, because then one writer could lock the removed file and another writer its successor.
func (h *Home) Lock(path string, timeout time.Duration) (unlock func() error, err error) {
	leave, entered := h.mutexes.enter(path, timeout > 0) // the goroutine that holds the mutex waits for the file lock only for a limited time
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

// LockWithin tries to lock a file until timeout has passed. It tries at least once, so that a
// process that was suspended in between does not report a free lock as taken.
func LockWithin(file *flock.Flock, timeout time.Duration) (bool, error) {
	if locked, err := file.TryLock(); locked || err != nil || timeout == 0 {
		return locked, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return file.TryLockContext(ctx, LockRetry)
}
