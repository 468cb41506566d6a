package toolstest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// DirOf creates a directory that the given user owns and can reach, and removes the directory after
// the test. It uses /var/tmp if other users cannot reach [os.TempDir].
func DirOf(t testing.TB, user int) string {
	t.Helper()
	base := os.TempDir()
	for at := base; at != filepath.Dir(at); at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode()&0o001 == 0 {
			base = "/var/tmp"
		}
	}
	dir, err := os.MkdirTemp(base, "user-")
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := errors.Join(err, os.Chown(dir, user, user)); err != nil {
		t.Fatal(err)
	}
	return dir
}
