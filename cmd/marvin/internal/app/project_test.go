package app

import (
	"os"
	"path/filepath"
	"testing"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/persistence/projects"
	"marvin/providers"
)

func TestSessionStartsWithFileToolsInProject(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, path := range []string{"repo/.git", "repo/deep/er", "go/cmd", "plain/sub", "always", "never/.git"} {
		if err := os.MkdirAll(filepath.Join(home, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"go/go.mod", "Makefile", "package.json"} {
		if err := os.WriteFile(filepath.Join(home, path), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		dir            string
		change         func(*App)
		coding, offers bool
	}{
		{"repo", nil, true, false},
		{"repo/deep/er", nil, true, false},
		{"go/cmd", nil, true, false},
		{"plain/sub", nil, false, true},
		{"", nil, false, true},
		{"always", nil, true, false},
		{"never", nil, false, false},
		{"plain", func(p *App) { p.Selection.Provider = providers.Offline }, true, true},
		{"plain", func(p *App) { p.Opts.WorkingDir = "." }, true, false},
		{"repo", func(p *App) { p.Opts.Chat = true }, false, false},
		{"repo", func(p *App) { p.Opts.Left.Info.ID = "1" }, false, false},
		{"repo", func(p *App) { p.Keeping.Dir = "" }, false, false}, // a program talks
	} {
		world := clitest.NewWorld(home, filepath.Join(home, row.dir))
		store := cli.OpenHome(world)
		for dir, on := range map[string]bool{"always": true, "never": false} {
			if err := RememberFiles(store, filepath.Join(home, dir), on); err != nil {
				t.Fatal(err)
			}
		}
		p := &App{World: world, Dir: projects.RealDir(world.Dir), Selection: providers.Selection{Provider: "groq"}, Config: actors.Config{Home: store}}
		p.Keeping.Dir = p.Dir
		if row.change != nil {
			row.change(p)
		}
		if coding, offer := p.coding(), p.offerFiles(); coding != row.coding || (offer != nil) != row.offers {
			t.Errorf("%q: coding %t, asked %t", row.dir, coding, offer != nil)
		}
	}
}
