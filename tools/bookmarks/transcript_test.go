package bookmarks

import (
	"os"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestBookmarkTools(t *testing.T) {
	root := t.TempDir()
	env := toolstest.Env(t)
	home := persistence.Open(root, func() time.Time { return time.Date(2026, 2, 13, 12, 0, 0, 0, time.UTC) })
	env.Profile = home.Profile("default").Dir
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", toolstest.Local(t, root, New(home).Tools(), &env))
}
