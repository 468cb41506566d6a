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

// enter locks the mutex of a path. With the flag waits, it waits for a goroutine that holds the
// mutex; otherwise it fails.
func (m *mutexes) enter(path string, waits bool) (leave func(), entered bool) {
	m.mu.Lock()
	one := m.all[path]
	if one != nil && !waits {
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
// the lock after the given time (0 does not wait), it returns [ErrLocked]. The kernel removes the
// lock at the end of the process, so the lock is never stale. The lock file is never removed:
// otherwise one writer could lock the removed file, and another writer its successor.
func (h *Home) Lock(path string, wait time.Duration) (unlock func() error, err error) {
	leave, entered := h.mutexes.enter(path, wait > 0) // the goroutine that holds the mutex waits for the file lock only for a limited time
	if !entered {
		return nil, ErrLocked
	}
	file := NewLock(HiddenBeside(path, ".lock"))
	locked, err := LockWithin(file, wait)
	if !locked {
		leave()
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("%s has been %w for %s; end that process and try again", path, ErrLocked, wait)
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() error {
		defer leave()
		return file.Close()
	}, nil
}

// LockWithin tries to lock a file until the given time has passed, but at least once. So a
// suspended process does not report a free lock as taken when it resumes.
func LockWithin(file *flock.Flock, wait time.Duration) (bool, error) {
	if locked, err := file.TryLock(); locked || err != nil || wait == 0 {
		return locked, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	return file.TryLockContext(ctx, LockRetry)
}
