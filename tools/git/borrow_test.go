package git

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
)

// The next Marvin removes the checkout of a killed Marvin; a checkout in use is kept.
func TestCheckoutsOfTheKilledAreSwept(t *testing.T) {
	home := t.TempDir()
	leave := func(name string, locked bool) string {
		dir := filepath.Join(borrowedBelow(home), name)
		if err := os.MkdirAll(filepath.Join(dir, "src"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+lockSuffix, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if locked {
			lock := flock.New(dir + lockSuffix)
			if held, err := lock.TryLock(); err != nil || !held {
				t.Fatal(held, err)
			}
			t.Cleanup(func() { _ = lock.Unlock() })
		}
		return dir
	}
	used, left := leave("used", true), leave("left", false)
	if removed, err := Sweep(home); err != nil || removed != 1 {
		t.Fatalf("%d removed, %v", removed, err)
	}
	if _, err := os.Stat(used); err != nil {
		t.Errorf("one in use went: %v", err)
	}
	for _, path := range []string{left, left + lockSuffix} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
}
