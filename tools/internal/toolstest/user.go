package toolstest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// DirOf creates a directory for the user with the given ID. The user owns the directory and can
// reach it. The directory is in [os.TempDir], or in /var/tmp if other users cannot reach
// os.TempDir. It is removed after the test.
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
