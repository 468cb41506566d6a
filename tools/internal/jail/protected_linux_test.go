package jail_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/protected"
)

// In a project and in the home directory, a command can neither read the protected keys nor write
// any protected file.
func TestEveryProtectedPlaceIsHeldInTheJail(t *testing.T) {
	roots := []string{"project", ".", ".config"}
	if testing.Short() {
		roots = roots[:1]
	}
	for _, root := range roots {
		p := newPlaceIn(t, varTemp(t), jail.Workspace)
		p.put(t, map[string]string{"go/src/x": "x", "docs/x": "x", ".config/other/x": "free\n"})
		var keys, all []string
		for _, row := range protected.Home {
			for _, name := range row.Names {
				path := filepath.Join(p.home, name)
				if info, err := os.Lstat(path); err == nil && info.IsDir() {
					path = filepath.Join(path, "file")
				} else if os.MkdirAll(filepath.Dir(path), 0o755) != nil { // a row names a file there
					continue
				}
				text := "canary user assword token\n"
				if row.Vars {
					text = "export X=1\nexport OPENAI_API_KEY='canary-0123456789'\n"
				}
				if exists(path) {
					continue
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				all = append(all, path)
				if row.Keys {
					keys = append(keys, path)
				}
			}
		}
		if len(all) < 500 || len(keys) < 200 {
			t.Fatalf("%d places, %d with keys", len(all), len(keys))
		}
		lists := filepath.Join(p.home, "docs", "all")
		err := errors.Join(os.WriteFile(lists, []byte(strings.Join(all, "\n")+"\n"), 0o644), os.WriteFile(lists+"keys", []byte(strings.Join(keys, "\n")+"\n"), 0o644))
		cell, failed := p.keeper.Jail(filepath.Join(p.home, root))
		if err := errors.Join(err, failed); errors.Is(err, jail.ErrMissing) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		line := `while IFS= read -r f; do grep -qs canary "$f" && echo "READ $f"; done < ~/docs/allkeys; while IFS= read -r f; do (echo WRITTEN > "$f") 2>/dev/null; done < ~/docs/all
			for f in .config/autostart/x.desktop go/bin/x bin/x .config/marvin/new .config/fish/functions/x.fish; do mkdir -p ~/"$(dirname "$f")"; echo WRITTEN > ~/$f; done; cat ~/.config/other/x`
		result, err := proc.Run(t.Context(), proc.Command{Shell: line, Dir: filepath.Join(p.home, root), Environ: p.environ, Jail: cell})
		if err != nil {
			t.Fatal(err)
		}
		said := result.Stdout.Text()
		if strings.Contains(said, "READ") || !strings.Contains(said, "free") {
			t.Errorf("in %s it reads\n%s", root, said)
		}
		for _, path := range append(all, p.home+"/.config/autostart/x.desktop", p.home+"/go/bin/x", p.home+"/bin/x", p.home+"/.config/marvin/new", p.home+"/.config/fish/functions/x.fish") {
			if strings.Contains(content(path), "WRITTEN") {
				t.Errorf("in %s it writes %s", root, path)
			}
		}
	}
}

func TestAShellsFileIsHiddenForAKeyInIt(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	held := map[string]string{
		".zshenv": "export GITHUB_TOKEN=canary-0123456789\n", ".config/fish/fish_variables": "SETUVAR --export ANTHROPIC_API_KEY:canary-0123456789\n", ".config/fish/conf.d/x.fish": "set -gx MY_SECRET 'canary-0123456789'\n",
		".cshrc": "setenv DB_PASSWORD canary-0123456789\n", ".config/nushell/env.nu": "$env.X_TOKEN = \"canary-0123456789\"\n", ".profile": "A=1 B_KEY=canary-0123456789; export B_KEY\n",
	}
	shown := map[string]string{
		".zshrc": "canary\nexport PATH=$HOME/bin:$PATH KEYTIMEOUT=1\nbindkey -e\n", ".bash_profile": "# export X_TOKEN=canary-0123456789\nexport X_TOKEN=$(pass canary)\n", ".kshrc": "export SSH_AUTH_SOCK=/run/canary.sock\n",
	}
	p.put(t, held)
	p.put(t, shown)
	for _, files := range []map[string]string{held, shown} {
		for name := range files {
			said := p.run(t, true, "cat ~/"+name).Stdout.Text()
			if _, hides := held[name]; strings.Contains(said, "canary") == hides {
				t.Errorf("%s: %q", name, said)
			}
		}
	}
}
