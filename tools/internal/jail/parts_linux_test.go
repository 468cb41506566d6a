package jail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// What a configuration of git includes, whether its conditions hold or not.
func TestWhatAConfigurationIncludes(t *testing.T) {
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
		got := strings.ReplaceAll(strings.Join(includes(config, "/home/u"), "\n"), " ", "_")
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

// What is included is followed ten deep, and a hundred files wide; what is no file, or too
// large, includes nothing.
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
	if got := includes(filepath.Join(dir, "0"), ""); len(got) != 10 || got[9] != filepath.Join(dir, "10") {
		t.Errorf("deep: %q", got)
	}
	wide := "[include]\n"
	for n := range 101 {
		wide += fmt.Sprintf("path = w%d\n", n)
	}
	if got := includes(write("wide", wide), ""); len(got) != 100 {
		t.Errorf("wide: %d", len(got))
	}
	large := "[include]\npath = x\n"
	for size, want := range map[int]int{mostConfig: 1, mostConfig + 1: 0} {
		if got := includes(write("large", large+strings.Repeat("#", size-len(large))), ""); len(got) != want {
			t.Errorf("of %d bytes: %q", size, got)
		}
	}
	if got := includes(dir, ""); got != nil {
		t.Errorf("of a directory: %q", got)
	}
	both := Included(filepath.Dir(write("config", "[include]\npath = a\n")), "")
	if write("config.worktree", "[include]\npath = b\n"); len(both) != 1 || len(Included(dir, "")) != 2 {
		t.Errorf("of both configurations: %q", both)
	}
}

// What is made for absent names is known by its content, and goes only as it was made.
func TestAbsentNames(t *testing.T) {
	dir := t.TempDir()
	file, empty := absence{filepath.Join(dir, "config"), "\n"}, absence{filepath.Join(dir, "hooks"), ""}
	for _, one := range []absence{file, empty} {
		if one.there() {
			t.Errorf("%s is there before it is made", one.path)
		}
		if err := one.make(); err != nil || !one.there() {
			t.Errorf("%s was made: %v", one.path, err)
		}
		if err := one.make(); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s is made twice: %v", one.path, err)
		}
		if got := recorded(one.record()); !slices.Equal(got, []absence{one}) {
			t.Errorf("%s is written down as %q", one.path, one.record())
		}
	}
	inside := filepath.Join(empty.path, "pre-commit")
	if err := errors.Join(os.WriteFile(inside, nil, 0o644), os.WriteFile(file.path, []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, one := range []absence{file, empty} {
		if one.remove(); one.there() || !exists(one.path) {
			t.Errorf("%s is not as it was made: there %v", one.path, one.there())
		}
	}
	if err := errors.Join(os.Remove(inside), os.WriteFile(file.path, []byte("\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, one := range []absence{file, empty} {
		if one.remove(); exists(one.path) {
			t.Errorf("%s is left", one.path)
		}
	}
	for text, want := range map[string]int{"": 0, "0 \"/a\"\n2 \"/b\"\n": 2, "3 \"/a\"": 0, "-1 \"/a\"": 0, "x \"/a\"": 0, "0 /a": 0, "0 \"a\"": 0, "1 \"/a b\" ": 1} {
		if got := recorded(text); len(got) != want {
			t.Errorf("%q records %+v", text, got)
		}
	}
	if err := os.Mkdir(file.path, 0o755); err != nil {
		t.Fatal(err)
	}
	if saysNothing(file.path, "\n") || saysNothing(dir, "") || (absence{filepath.Join(dir, "none"), ".\n"}).there() {
		t.Error("what is something says nothing")
	}
}

// A name is there as long as somebody needs it, and another Marvin counts too.
func TestNamesStayAsLongAsTheyAreNeeded(t *testing.T) {
	dir := t.TempDir()
	one, other := absence{filepath.Join(dir, "config"), "\n"}, absence{filepath.Join(dir, "hooks"), ""}
	h := &holds{book: filepath.Join(t.TempDir(), "made")}
	for range 2 {
		if err := h.take([]absence{one, other}); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(h.book); err != nil || string(text) != one.record()+other.record() {
		t.Errorf("the book says %q, %v", text, err)
	}
	h.leave([]absence{one, {path: "/never/taken"}, other}, false, true)
	if !one.there() || !other.there() {
		t.Error("a name went that is needed")
	}
	second, err := os.Open(dir)
	if err != nil || !share(second) {
		t.Fatal(err)
	}
	if h.leave([]absence{one, other}, false, true); !one.there() {
		t.Error("a name went that another Marvin needs")
	}
	release(second)
	if err := h.take([]absence{one, other}); err != nil {
		t.Fatal(err)
	}
	if h.leave([]absence{one, other}, false, true); exists(one.path) || exists(other.path) {
		t.Error("a name stays that nobody needs")
	}
	lost := absence{filepath.Join(dir, "none", "config"), "\n"}
	if err := h.take([]absence{one, lost}); err == nil || !strings.HasPrefix(err.Error(), "protect "+lost.path+", which does not exist: ") || exists(one.path) {
		t.Errorf("where none can be made: %v, the others stay: %v", err, exists(one.path))
	}
	long := absence{filepath.Join(dir, strings.Repeat("x", 300)), "\n"} // there is a place, and no such name
	if err := h.take([]absence{one, long}); err == nil || exists(one.path) {
		t.Errorf("a name that cannot be: %v, the others stay: %v", err, exists(one.path))
	}
	if err := (&holds{book: filepath.Join(dir, "none", "made")}).take([]absence{one}); err == nil || exists(one.path) {
		t.Errorf("what cannot be written down is made: %v", err)
	}
	if err := h.take([]absence{one}); err != nil {
		t.Fatal(err)
	}
	if h.abandon(); h.held != nil || !one.there() {
		t.Error("what is abandoned went, or is held")
	}
	if !discard(h.book) || exists(one.path) {
		t.Error("what the book says is left")
	}
	if discard(dir) || !discard(filepath.Join(dir, "no book")) {
		t.Error("a book that cannot be read says nothing")
	}
}

// A list of a rebase is read up to a limit; its commands are told, each state of it once.
func TestCommandsOfARebase(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "pick 1 x\nexec  make\nx\tls -l\nexecute no\nx": `" make" "ls -l" ""`, "exec a\nexec b\nexec c\nexec d\nexec e": `"a" "b" "c" "d" "e"`,
		"exec a\nexec b\nexec c\nexec d\nexec e\nexec f\nexec g": `"a" "b" "c" "d" "e" …`, "exec " + strings.Repeat("y", 201): strconv.Quote(strings.Repeat("y", 200)),
		"# exec a\n  exec\x1b b": "", "  exec a": `"a"`, "exec b\x1b": `"b\x1b"`,
	} {
		if got := strings.Join(commandsIn(text), " "); got != want {
			t.Errorf("%.40q: %s, want %s", text, got, want)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "list")
	if err := errors.Join(os.WriteFile(path, []byte("0123456789"), 0o644), syscall.Mkfifo(path+"pipe", 0o644)); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int64]string{4: "0123", 10: "0123456789", 11: "0123456789"} {
		if got := beginningOf(path, most); string(got) != want {
			t.Errorf("the first %d bytes are %q", most, got)
		}
	}
	if beginningOf(dir, 9) != nil || beginningOf(path+"pipe", 9) != nil || beginningOf(path+"none", 9) != nil {
		t.Error("what is no file has a beginning")
	}
	if got := escapeGlob(`a*b?c[d]\e`); got != `a\*b\?c\[d]\\e` {
		t.Errorf("%s", got)
	}
	var nobody *Jail
	if nobody.Report() != "" || nobody.Note(1, "permission denied") != "" {
		t.Error("no jail has something to say")
	}
}

// Who can write one of the names on the way to a path decides what is found there.
func TestTheNamesOnTheWayToAPath(t *testing.T) {
	k, home := scene{files: "project/a/x=y away->HOME/project/a short->project/a/../a/x loop->loop"}.keeperOf(t)
	k.jails = map[string]*Jail{"": {plan: plan{Write: []string{filepath.Join(home, "project")}}}}
	for path, want := range map[string]string{
		"a/../b": "HOME/a HOME/b", "away/x": "HOME/away HOME/project HOME/project/a HOME/project/a/x",
		"short": "HOME/short HOME/project HOME/project/a HOME/project/a HOME/project/a/x", "./none//deep": "HOME/none HOME/none/deep",
	} {
		names, ok := passed(home + "/" + path)
		names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, home+"/") })
		if got := strings.ReplaceAll(strings.Join(names, " "), home, "HOME"); !ok || got != want {
			t.Errorf("%s: %s, %v; want %s", path, got, ok, want)
		}
	}
	for path, want := range map[string]bool{
		home + "/project": true, home + "/project/a/none": true, home + "/away": true, home + "/short": true, home + "/loop": true, "relative": true,
		home + "/projects": false, home + "/x": false, "/usr/bin/env": false, home + "/private/tmp/x": true,
	} {
		if got := k.Writable(path); got != want {
			t.Errorf("%s can be changed: %v", path, got)
		}
	}
	if (*Keeper)(nil).Writable("/x") {
		t.Error("without a keeper something can be changed")
	}
}
