package tools_test

import (
	"os"
	"path/filepath"
	"testing"

	"marvin/tools"
)

func TestPlacesMeet(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := tools.Env{Dir: dir}
	state := func(name string, write bool) tools.Place { return tools.Place{State: name, Write: write} }
	for _, test := range []struct {
		name string
		a, b tools.Place
		want bool
	}{
		{"two readers", env.PlaceAt("a", false), env.PlaceAt("a", false), false},
		{"a reader and a writer", env.PlaceAt("a", false), env.PlaceAt("a", true), true},
		{"two files", env.PlaceAt("a", true), env.PlaceAt("ab", true), false},
		{"a file and its directory", env.PlaceAt("a/b/c", true), env.PlaceAt("a", false), true},
		{"a file and all", env.PlaceAt("a/b/c", true), env.PlaceAt(".", false), true},
		{"through a link", env.PlaceAt("link/new", true), env.PlaceAt("real/new", false), true},
		{"an absolute path", env.PlaceAt(filepath.Join(dir, "real", "x"), true), env.PlaceAt("real/x", false), true},
		{"a state", state("notes", true), state("notes", false), true},
		{"two states", state("notes", true), state("alarms", true), false},
		{"a state and a file", state("notes", true), env.PlaceAt(".", true), false},
		{"everything", tools.Place{All: true, Write: true}, state("notes", false), true},
	} {
		if test.a.Meets(test.b) != test.want || test.b.Meets(test.a) != test.want {
			t.Errorf("%s: want %v", test.name, test.want)
		}
	}
}
