package gitwatch

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestGitConfigIncludes(t *testing.T) {
	for _, one := range []struct{ config, want string }{
		{"[core]\npath = a", ""},
		{"[include]\npath = a\nPATH=b", "DIR/a DIR/b"},
		{"\ufeff[Include] path = a", "DIR/a"},
		{"[includeIf \"gitdir:x]y\"]\n\tpath = a", "DIR/a"},
		{"[include\t\"x\"]\npath = a", "DIR/a"},
		{"[include.path]\npath = a", ""},
		{"[include", ""},
		{"[include]\npath\nother = a", ""},
		{"[include]\npath = \"a b\" # c\npath = a;b\npath = \"a#b\"", "DIR/a_b DIR/a DIR/a#b"},
		{"[include]\npath = a\\\\b\npath = a\\\nb", "DIR/a\\b DIR/ab"},
		{"[include]\npath = ~/a\npath = /x/../y\npath = ../z\npath =\npath = %(prefix)/a", "/home/u/a /y UP/z"},
		{"[include]\npath = a\n[core]\npath = b\n[include]\npath = c", "DIR/a DIR/c"},
		{"[include]\npath = config", ""},
	} {
		dir := t.TempDir()
		config := filepath.Join(dir, "config")
		if err := os.WriteFile(config, []byte(one.config), 0o644); err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(strings.Join(Includes(config, "/home/u"), "\n"), " ", "_")
		got = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(got, dir, "DIR"), filepath.Dir(dir), "UP"), "\n", " ")
		if got != one.want {
			t.Errorf("%q: %s, want %s", one.config, got, one.want)
		}
	}
	if got := expanded("/d/f", "~/a", ""); got != "" {
		t.Errorf("without a home directory: %s", got)
	}
	if Included("", "/home/u") != nil {
		t.Error("no repository includes something")
	}
}

func TestIncludesAreBounded(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for n := range 12 {
		write(strconv.Itoa(n), fmt.Sprintf("[include]\npath = %d\npath = %d\n", n+1, n))
	}
	if got := Includes(filepath.Join(dir, "0"), ""); len(got) != 10 || got[9] != filepath.Join(dir, "10") {
		t.Errorf("deep: %q", got)
	}
	wide := "[include]\n"
	for n := range 101 {
		wide += fmt.Sprintf("path = w%d\n", n)
	}
	if got := Includes(write("wide", wide), ""); len(got) != 100 {
		t.Errorf("wide: %d", len(got))
	}
	large := "[include]\npath = x\n"
	for size, want := range map[int]int{mostConfig: 1, mostConfig + 1: 0} {
		if got := Includes(write("large", large+strings.Repeat("#", size-len(large))), ""); len(got) != want {
			t.Errorf("of %d bytes: %q", size, got)
		}
	}
	if got := Includes(dir, ""); got != nil {
		t.Errorf("of a directory: %q", got)
	}
	both := Included(filepath.Dir(write("config", "[include]\npath = a\n")), "")
	if write("config.worktree", "[include]\npath = b\n"); len(both) != 1 || len(Included(dir, "")) != 2 {
		t.Errorf("of both configurations: %q", both)
	}
}
