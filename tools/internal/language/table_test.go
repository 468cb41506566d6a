package language

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/settings"
)

func TestTheTableIsWhole(t *testing.T) {
	all, names := All(nil), map[string]bool{}
	if len(all) < 40 {
		t.Errorf("there are %d servers", len(all))
	}
	for _, one := range all {
		if names[one.Name] || one.Kind == "" || len(one.Command) == 0 || len(one.Files) == 0 || len(one.Roots) == 0 || one.Install == "" || one.languageID("x") == "" {
			t.Errorf("%+v", one)
		}
		names[one.Name] = true
		for _, pattern := range append(append([]string{}, one.Files...), one.Roots...) {
			if _, err := filepath.Match(pattern, "x"); err != nil {
				t.Errorf("%s: %q: %v", one.Name, pattern, err)
			}
		}
	}
}

func TestTheUserHasTheLastWord(t *testing.T) {
	all := All(map[string]settings.Language{
		"gopls": {Settings: map[string]any{"staticcheck": true}}, "pyright": {Off: true}, "mine": {Command: []string{"mine"}, Files: []string{"*.go"}},
	})
	kinds := ServersFor(all, "/p/a.go", "/p")
	if len(kinds) != 2 || kinds[0][0].Name != "gopls" && kinds[0][0].Name != "mine" || kinds[0][0].Name == "gopls" && kinds[0][0].Settings == nil {
		t.Errorf("%+v", kinds)
	}
	for _, kind := range ServersFor(all, "/p/a.py", "/p") {
		for _, one := range kind {
			if one.Name == "pyright" {
				t.Error("it is off")
			}
		}
	}
}

func TestTheNearestMarkIsTheRoot(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"a/b/c", "x"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a/go.mod", "a/b/go.mod", "x/deno.json"} {
		if err := os.WriteFile(filepath.Join(top, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gopls, deno := Server{Roots: []string{"go.work", "go.mod"}}, Server{Roots: []string{"deno.json!"}}
	for _, one := range []struct {
		server Server
		path   string
		want   string
		needed bool
	}{{gopls, "a/b/c/x.go", "a/b", false}, {gopls, "a/x.go", "a", false}, {gopls, "x/x.go", "", false}, {deno, "x/x.ts", "x", false}, {deno, "a/x.ts", "", true}} {
		root, needed := one.server.RootOf(filepath.Join(top, one.path), top)
		if root != filepath.Join(top, one.want) || needed != one.needed {
			t.Errorf("%s: %s, %v", one.path, root, needed)
		}
	}
}

func TestUserServerSettings(t *testing.T) {
	all := All(map[string]settings.Language{
		"gopls":   {Settings: map[string]any{"a": 1}, Free: true},
		"pyright": {Command: []string{"py", "--stdio"}, Files: []string{"*.snake"}, Roots: []string{"snake.toml"}, Off: true},
		"mine":    {Command: []string{"mine"}, Files: []string{"*.my"}},
		"deno":    {Command: []string{"my-deno"}},
	})
	of := map[string]Server{}
	for i, one := range all {
		if _, twice := of[one.Name]; twice || one.Own != (i < 4) {
			t.Errorf("%s is there twice, or out of its order", one.Name)
		}
		of[one.Name] = one
	}
	gopls, pyright, mine, deno := of["gopls"], of["pyright"], of["mine"], of["deno"]
	if gopls.Exact != "pull" || gopls.Work != "diagnosing" || string(gopls.Init) != `{"diagnosticsDelay":"10ms","verboseWorkDoneProgress":true}` || gopls.Kind != "go" || gopls.Command[0] != "gopls" || gopls.Settings["a"] != 1 || !gopls.Free || gopls.Off {
		t.Errorf("gopls: %+v", gopls)
	}
	if pyright.Command[0] != "py" || pyright.Files[0] != "*.snake" || pyright.Roots[0] != "snake.toml" || pyright.IDs[0] != "python" || !pyright.Off || pyright.Free {
		t.Errorf("pyright: %+v", pyright)
	}
	if mine.Kind != "mine" || mine.IDs[0] != "mine" || len(mine.Roots) > 0 || mine.Settings != nil || mine.Install != "as you know" {
		t.Errorf("mine: %+v", mine)
	}
	if deno.Init != nil || deno.Exact != "" || deno.Files[0] != "*.ts" {
		t.Errorf("deno: %+v", deno)
	}
	if typescript := of["typescript"]; typescript.Exact != exactTS || typescript.Lint || !of["eslint"].Lint || of["zls"].Init != nil {
		t.Errorf("the table: %+v", typescript)
	}
}

func TestLanguageID(t *testing.T) {
	one := Server{IDs: []string{"cpp", "*.c=c", "*.mm=objective-cpp"}}
	for name, want := range map[string]string{"/a/x.c": "c", "/a/x.mm": "objective-cpp", "/a/x.cc": "cpp", "/a.c/x": "cpp"} {
		if got := one.languageID(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if got := (Server{IDs: []string{"*.c=c"}}).languageID("x.h"); got != "" {
		t.Errorf("without a rule it is %q", got)
	}
}

func TestTheServersOfAFileAndTheirOrder(t *testing.T) {
	top := t.TempDir()
	if err := os.WriteFile(filepath.Join(top, "x.sln"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	all := []Server{
		{Name: "lint", Kind: "lint", Lint: true, Files: []string{"*.x"}},
		{Name: "first", Kind: "x", Files: []string{"*.x"}, Command: []string{"one"}, Install: "apt install one"},
		{Name: "second", Kind: "x", Files: []string{"*.x"}, Command: []string{"two", "-v"}, Install: "two.org"},
		{Name: "off", Kind: "off", Off: true, Files: []string{"*.x"}},
		{Name: "other", Kind: "y", Files: []string{"*.y"}},
		{Name: "needy", Kind: "needy", Files: []string{"*.x"}, Roots: []string{"none!"}},
		{Name: "marked", Kind: "marked", Files: []string{"*.x"}, Roots: []string{"*.sln!"}},
		{Name: "mine", Kind: "mine", Own: true, Files: []string{"*.x"}},
	}
	var got []string
	kinds := ServersFor(all, filepath.Join(top, "a.x"), top)
	for _, kind := range kinds {
		for _, one := range kind {
			got = append(got, one.Name)
		}
		got = append(got, "|")
	}
	if text := strings.Join(got, " "); text != "mine | first second | marked | lint |" {
		t.Errorf("%s", text)
	}
	if got := InstallHelp(kinds[1]); got != "one (apt install one), or two (two.org)" {
		t.Errorf("%s", got)
	}
	if contains(filepath.Join(top, "none"), "*.sln") || contains(top, "*.csproj") || !contains(top, "x.sln") {
		t.Error("a mark is found where it is not")
	}
}
