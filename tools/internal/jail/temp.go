package jail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tempDir is the private /tmp of one Marvin. Its lock file says that somebody uses
// it; one that nobody holds was left by a Marvin that was killed, and goes with the
// next start.
type tempDir struct {
	whole string // holds the lock and the directory
	path  string
	lock  *os.File
}

const tempPrefix = "marvin-sandbox-"

func newTempDir(in string) (*tempDir, error) {
	if in == "" {
		in = os.TempDir()
	}
	in, err := filepath.EvalSymlinks(in)
	if err != nil {
		return nil, err
	}
	sweep(in)
	whole, err := os.MkdirTemp(in, tempPrefix) // 0700, whatever the umask
	if err != nil {
		return nil, err
	}
	// It gets its name once it is locked, or a sweep could come in between.
	name := filepath.Join(whole, "lock")
	lock, err := os.OpenFile(name+".new", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil && !claim(lock) {
		err = errors.New("it cannot be locked; set TMPDIR to a directory on a local disk")
	}
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	path := filepath.Join(whole, "tmp")
	if err == nil {
		err = os.Mkdir(path, 0o700)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare %s: %w", whole, err), os.RemoveAll(whole))
	}
	return &tempDir{whole: whole, path: path, lock: lock}, nil
}

func (t *tempDir) remove() error { return errors.Join(t.lock.Close(), os.RemoveAll(t.whole)) }

// sweep removes what killed Marvins of this user left behind.
func sweep(in string) {
	entries, err := os.ReadDir(in)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), tempPrefix) || !entry.IsDir() {
			continue
		}
		whole := filepath.Join(in, entry.Name())
		lock, err := os.OpenFile(filepath.Join(whole, "lock"), os.O_RDWR|noFollow, 0)
		if err != nil {
			continue // another user's, or being made right now
		}
		if claim(lock) {
			_ = os.RemoveAll(whole)
		}
		_ = lock.Close()
	}
}
