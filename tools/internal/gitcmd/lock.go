package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"marvin/tools"
)

// lockPatience is how long Marvin waits for another git process. Editors refresh the index every
// few seconds and hold the lock for a few milliseconds.
const lockPatience = time.Second

// Lock returns the path of the file that locks the index.
func (r *Repository) Lock() string { return filepath.Join(r.GitDir, "index.lock") }

// LockAge returns the age of the lock, or 0 if there is none.
func (r *Repository) LockAge(now time.Time) time.Duration {
	info, err := os.Lstat(r.Lock())
	if err != nil {
		return 0
	}
	return max(now.Sub(info.ModTime()), time.Millisecond)
}

// AwaitLock waits until no git process holds the index lock, but no longer than lockPatience. If
// the lock remains, the error says how old the lock is. AwaitLock never removes a lock. Git does
// not record which process holds a lock, so only the user can know that a lock is stale.
func (r *Repository) AwaitLock(ctx context.Context, now func() time.Time) error {
	limit := time.After(lockPatience)
	for {
		if _, err := os.Lstat(r.Lock()); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", r.Lock(), context.Cause(ctx))
		case <-limit:
			age := r.LockAge(now()).Round(time.Second)
			return tools.Advise(fmt.Errorf("%w: the lock %s is %s old", ErrLocked, r.Lock(), age),
				"If another git process or an editor is running, try again later. If no git process is running (pgrep -a git), an earlier one crashed and left its lock; ask the user whether you may remove that file.")
		case <-time.After(20 * time.Millisecond):
		}
	}
}
