package gitcmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Marvin waits for a lock as long as an editor may hold it, and no longer. A lock that disappears
// meanwhile causes no error.
func TestALockIsWaitedForAMoment(t *testing.T) {
	for name, gone := range map[string]time.Duration{"it stays": 0, "it goes": lockPatience / 2} {
		synctest.Test(t, func(t *testing.T) {
			repository := &Repository{GitDir: t.TempDir()}
			lock := filepath.Join(repository.GitDir, "index.lock")
			if err := os.WriteFile(lock, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if gone > 0 {
				time.AfterFunc(gone, func() { _ = os.Remove(lock) })
			}
			begun := time.Now()
			err := repository.AwaitLock(t.Context(), time.Now)
			switch took := time.Since(begun); {
			case gone > 0:
				if err != nil || took < gone || took >= lockPatience {
					t.Errorf("%s: %v after %s", name, err, took)
				}
			case !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "index.lock is") || took != lockPatience:
				t.Errorf("%s: %v after %s", name, err, took)
			}
		})
	}
}
