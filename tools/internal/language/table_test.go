package language

import (
	"os"
	"path/filepath"
	"testing"

	"marvin/persistence"
)

func TestTheTableIsWhole(t *testing.T) {
	all, names := All(nil), map[string]bool{}
	if len(all) < 40 {
		t.Errorf("there are %d servers", len(all))
	}
	for _, one := range all {
		if names[one.Name] || one.Kind == "" || len(one.Command) == 0 || len(one.Files) == 0 || len(one.Roots) == 0 || one.Install == "" || one.LanguageID("x") == "" {
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
	all := All(map[string]persistence.Language{
		"gopls": {Settings: map[string]any{"staticcheck": true}}, "pyright": {Off: true}, "mine": {Command: []string{"mine"}, Files: []string{"*.go"}},
	})
	kinds := Wanted(all, "/p/a.go", "/p")
	if len(kinds) != 2 || kinds[0][0].Name != "gopls" && kinds[0][0].Name != "mine" || kinds[0][0].Name == "gopls" && kinds[0][0].Settings == nil {
		t.Errorf("%+v", kinds)
	}
	for _, kind := range Wanted(all, "/p/a.py", "/p") {
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
