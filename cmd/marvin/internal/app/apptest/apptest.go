package apptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence"
)

// AtHome returns an app with a temporary home directory but without a model or network access. The
// builder receives the text written to standard error.
func AtHome(t *testing.T, set map[string]string) (*app.App, *strings.Builder) {
	t.Helper()
	home, said := t.TempDir(), &strings.Builder{}
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }
	world := cli.World{Home: home, Dir: home, Now: now, Stderr: said, Environ: []string{"PATH=" + bin + ":/bin:/usr/bin", "GROQ_API_KEY=gsk_very_secret_key_0123456789"}, Getenv: func(name string) string { return set[name] }}
	return &app.App{World: world, Config: actors.Config{Home: persistence.Open(home, now)}, Profile: "default"}, said
}
