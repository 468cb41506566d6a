package profiles

import (
	"errors"
	"os"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestProfileTools switches profiles and stores preferences.
func TestProfileTools(t *testing.T) {
	root := t.TempDir()
	env := toolstest.Env(t)
	home := persistence.Open(root, func() time.Time { return time.Date(2026, 2, 13, 12, 0, 0, 0, time.UTC) })
	env.Profile = home.Profile("default").Dir
	refused := false
	env.SetProfile = func(name string) error {
		if refused {
			return errors.New("the conversation stays with whom it began")
		}
		env.Profile = home.Profile(name).Dir
		return nil
	}
	local := toolstest.Local(t, root, New(home).Tools(), &env)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		if tool == "refused" {
			refused = true
			return "", nil
		}
		return local(tool, args)
	})
}
