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
		{"two readers", env.At("a", false), env.At("a", false), false},
		{"a reader and a writer", env.At("a", false), env.At("a", true), true},
		{"two files", env.At("a", true), env.At("ab", true), false},
		{"a file and its directory", env.At("a/b/c", true), env.At("a", false), true},
		{"a file and all", env.At("a/b/c", true), env.At(".", false), true},
		{"through a link", env.At("link/new", true), env.At("real/new", false), true},
		{"an absolute path", env.At(filepath.Join(dir, "real", "x"), true), env.At("real/x", false), true},
		{"a state", state("notes", true), state("notes", false), true},
		{"two states", state("notes", true), state("alarms", true), false},
		{"a state and a file", state("notes", true), env.At(".", true), false},
		{"everything", tools.Place{All: true, Write: true}, state("notes", false), true},
	} {
		if test.a.Meets(test.b) != test.want || test.b.Meets(test.a) != test.want {
			t.Errorf("%s: want %v", test.name, test.want)
		}
	}
}
