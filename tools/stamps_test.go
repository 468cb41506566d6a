package tools

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSeenFileVersions(t *testing.T) {
	var seen Stamps
	for _, row := range []struct {
		what  string
		do    func()
		text  string
		stale bool
	}{
		{"what it never read", func() {}, "one", false},
		{"what it read", func() { seen.Record("/a", []byte("one")) }, "one", false},
		{"what another wrote since", func() {}, "two", true},
		{"what it wrote since", func() { seen.Record("/a", []byte("two")) }, "two", false},
		{"what it read before", func() {}, "one", true},
		{"what it forgot", func() { seen.Forget("/a"); seen.Forget("/never") }, "one", false},
	} {
		if row.do(); seen.Stale("/a", []byte(row.text)) != row.stale || seen.Stale("/b", []byte(row.text)) {
			t.Errorf("%s is stale: %v", row.what, !row.stale)
		}
	}
	if changed := seen.Changed(); len(changed) != 0 {
		t.Errorf("it changed %q", changed)
	}
	seen.Record("/a", []byte("one"))
	below := seen.ForSubAgent()
	if below.Stale("/a", []byte("two")) {
		t.Error("a sub-agent has read what its conversation read")
	}
	below.Change("/b")
	seen.Change("/c")
	below.ForSubAgent().Change("/a")
	for _, one := range []*Stamps{&seen, below} {
		if got := strings.Join(one.Changed(), " "); got != "/a /b /c" {
			t.Errorf("changed are %q", got)
		}
	}
}

func TestTheWorkingDirectoryIsOpened(t *testing.T) {
	const none = "no working directory is set\nCall set_working_dir with an absolute path first."
	if dir, err := (Env{}).Open(); dir != nil || err == nil || err.Error() != none {
		t.Errorf("%v, %v", dir, err)
	}
	home := made(t, "project", ".ssh")
	env := Env{Home: home, Root: home, Dir: home}
	dir, err := env.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	if _, err := dir.Mkdir("project/a"); err != nil {
		t.Error(err)
	}
	if _, err := dir.Mkdir(".ssh/a"); err == nil {
		t.Error("a place that decides what programs do is written")
	}
	if _, err := os.Stat(filepath.Join(home, ".ssh", "a")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is there: %v", err)
	}
	if _, err := (Env{Root: home, Dir: filepath.Join(home, "none")}).Open(); err == nil {
		t.Error("a directory that is not there is opened")
	}
}

// An invalid value of MARVIN_READONLY does not allow writing.
func TestReadOnlyVariable(t *testing.T) {
	for value, want := range map[string]bool{"1": true, " On ": true, "0": false, "": false, "perhaps": true} {
		only, err := ReadOnly([]string{"MARVIN_READONLY=" + value})
		if only != want || (err != nil) != (value == "perhaps") {
			t.Errorf("%q: %v, %v", value, only, err)
		}
	}
	mode := Env{Coding: true, Person: true, ReadOnly: true, Conversation: Conversation{Agent: true, Only: []string{"a"}}}.Mode()
	if !mode.Coding || !mode.Person || !mode.ReadOnly || !mode.Agent || len(mode.Only) != 1 || mode.Planning {
		t.Errorf("%+v", mode)
	}
	if (Env{}).Mode().Only != nil {
		t.Error("nothing is given out of nothing")
	}
}

// The names of variables that the user passes to commands are added to the earlier ones.
func TestPassedVariables(t *testing.T) {
	for _, row := range []struct{ before, names, want string }{
		{"", "", ""}, {"", "A,B_*", "A,B_*"}, {"C", "A", "C,A"}, {"C", "", "C"},
	} {
		environ := []string{"X=1"}
		if row.before != "" {
			environ = append(environ, "MARVIN_PASS_ENV="+row.before)
		}
		kept := append(environ[:len(environ):len(environ)], "other")[:len(environ)]
		got := Pass(kept, row.names)
		if last := (Env{Environ: got}).Variable("MARVIN_PASS_ENV"); last != row.want {
			t.Errorf("%q and %q: %q", row.before, row.names, last)
		}
		if kept[:len(environ)+1][len(environ)] != "other" && row.names != "" {
			t.Errorf("%q and %q: it is written into the environment of another", row.before, row.names)
		}
	}
}
