package places

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestPlaceTools saves, changes, lists and removes places in a home directory that is intact,
// damaged or not writable.
func TestPlaceTools(t *testing.T) {
	root := t.TempDir()
	home := persistence.Open(root, func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) })
	env := toolstest.Env(t)
	env.Profile = filepath.Join(root, ".config", "marvin", "profiles", "anna")
	if err := os.MkdirAll(env.Profile, 0o700); err != nil {
		t.Fatal(err)
	}
	local := toolstest.Local(t, root, New(home).Tools(), &env)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		if tool == "profile" {
			env.Profile = filepath.Join(root, ".config", "marvin", "profiles", args)
			return "", os.MkdirAll(filepath.Dir(env.Profile), 0o700)
		}
		return local(tool, args)
	})
}
