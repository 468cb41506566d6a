package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
)

// laidFile makes a file with what is above it, and gives its path.
func laidFile(t *testing.T, text string, elements ...string) string {
	t.Helper()
	path := filepath.Join(elements...)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// toldAs holds an error against the beginning and the end of what people read.
func toldAs(t *testing.T, what string, err error, begins, ends string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), begins) || !strings.HasSuffix(err.Error(), ends) {
		t.Errorf("%s: %v, want %s … %s", what, err, begins, ends)
	}
}

// A text that no editor could change stays as it is, and why is told: nowhere to put it, an
// editor that fails, one that takes the file away.
func TestAnEditorThatChangesNothing(t *testing.T) {
	p, set := atHome(t, map[string]string{})
	world, values := p.world, map[string]string{}
	world.Getenv, world.Stdout = func(name string) string { return values[name] }, &bytes.Buffer{}
	e := editor{world}
	for command, want := range map[string][2]string{
		"rm":    {"read back what was edited: open ", "prompt.md: no such file or directory"},
		"false": {"false: exit status 1 (set EDITOR", "is installed)"},
	} {
		values["EDITOR"] = command
		text, err := e.edit("as it is")
		if toldAs(t, command, err, want[0], want[1]); text != "as it is" {
			t.Errorf("%s: it is now %q", command, text)
		}
	}
	values["EDITOR"] = "cp " + laidFile(t, "changed\n\n", world.Home, "other")
	if text, err := e.edit("as it is"); err != nil || text != "changed" {
		t.Errorf("%q, %v", text, err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	if _, err := e.edit("x"); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	t.Setenv("TMPDIR", laidFile(t, "", temporary, "file"))
	text, err := e.edit("as it is")
	if toldAs(t, "a file for a directory", err, "make a file for the editor: ", ": not a directory"); text != "as it is" {
		t.Errorf("it is now %q", text)
	}
	values["PAGER"] = "false"
	toldAs(t, "a pager", e.page("x"), "false: exit status 1 (set PAGER", "is installed)")
	e.world.Environ = []string{"PATH=" + temporary}
	toldAs(t, "no shell for a pager", e.page("x"), "open a pager: ", "")
	toldAs(t, "no shell for an editor", e.open("x"), "open an editor: ", "")
	values["SHELL"] = "none-such"
	toldAs(t, "no shell", e.shell("/"), "open a shell: ", " (set SHELL to one that is installed)")
	if set.Len() > 0 {
		t.Error(set)
	}
}

// Preferences that cannot be made, opened or read are told, and where they would be.
func TestPreferencesThatCannotBeEdited(t *testing.T) {
	p, _ := atHome(t, nil)
	values := map[string]string{"EDITOR": "true"}
	p.world.Getenv, p.world.Stdout = func(name string) string { return values[name] }, &bytes.Buffer{}
	h := persons{p}
	if err := h.EditPreferences("default"); err != nil {
		t.Error(err)
	}
	path := h.PreferencesPath("default")
	if _, err := os.Stat(path); err != nil || !strings.HasPrefix(path, p.config.Home.State) {
		t.Errorf("%s: %v", path, err)
	}
	values["EDITOR"] = "false"
	toldAs(t, "the editor", h.EditPreferences("default"), "false: exit status 1", "")
	values["EDITOR"] = `sh -c 'rm "$0" && mkdir "$0"'`
	toldAs(t, "a directory for a file", h.EditPreferences("default"), "preferences: "+path+" is not a regular file", "")
	laidFile(t, "", filepath.Dir(filepath.Dir(path)), "file")
	toldAs(t, "a file for a profile", h.EditPreferences("file"), "preferences: ", "not a directory")
	if names, err := h.Profiles(); err != nil || strings.Join(names, " ") != "default" {
		t.Errorf("%q, %v", names, err)
	}
	p.config.Home = persistence.Open("", p.world.Now)
	if got := h.PreferencesPath("default"); got != "nowhere, because there is no home directory" {
		t.Error(got)
	}
	if err := h.EditPreferences("default"); !errors.Is(err, persistence.ErrNoHome) {
		t.Error(err)
	}
	if err := h.Remember("default", "a", "b"); !errors.Is(err, persistence.ErrNoHome) {
		t.Error(err)
	}
}

// A picture that is pasted is kept in a file of its own, or why not is told.
func TestAPictureThatCannotBeKept(t *testing.T) {
	dot, err := base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := atHome(t, nil)
	state := p.config.Home.State
	h := showing{p}
	laidFile(t, "", state)
	_, _, err = h.keepPasted(dot)
	toldAs(t, "a file for the state", err, "mkdir "+state, ": not a directory")
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	laidFile(t, "", state, "pictures")
	_, _, err = h.keepPasted(dot)
	toldAs(t, "a file for the pictures", err, "mkdir ", ": not a directory")
	if err := os.Remove(filepath.Join(state, "pictures")); err != nil {
		t.Fatal(err)
	}
	// As old as may be, and older by a moment.
	for name, age := range map[string]int64{"pasted-edge.gif": 0, "pasted-old.gif": 1, "mine.gif": 9} {
		at := p.world.Now().Add(-pastedAge - time.Duration(age)*time.Second)
		if err := os.Chtimes(laidFile(t, "", state, "pictures", name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	path, label, err := h.keepPasted(dot)
	content, problem := os.ReadFile(path)
	if info, wrong := os.Stat(path); err != nil || problem != nil || wrong != nil || !bytes.Equal(content, dot) || info.Mode().Perm() != 0o600 ||
		!strings.HasPrefix(path, filepath.Join(state, "pictures", "pasted-20260504-120000-")) || !strings.Contains(label, filepath.Base(path)) {
		t.Errorf("%s, %q, %v, %v, %v", path, label, err, problem, wrong)
	}
	left, err := filepath.Glob(filepath.Join(state, "pictures", "*.gif"))
	if err != nil || len(left) != 3 || filepath.Base(left[0]) != "mine.gif" {
		t.Errorf("%q are left, %v", left, err)
	}
}

// Where a person goes and what they write is a directory and a new file, or why not is told.
func TestDirectoriesAndFilesThatAreNone(t *testing.T) {
	p, _ := atHome(t, nil)
	h, top := workplace{p}, p.world.Home
	file := laidFile(t, "x", top, "sub", "file")
	for path, want := range map[string]string{
		"sub": top + "/sub", `"sub"`: top + "/sub", "'sub/'": top + "/sub", "~": top, "~/sub": top + "/sub", "~sub": "! there is no directory " + top + "/~sub; make it, or name another",
		"none": "! there is no directory " + top + "/none; make it, or name another", "sub/file": "! " + file + " is a file; name the directory " + top + "/sub",
		"sub/file/x": "! change the directory: stat " + file + "/x: not a directory", "/": "/", "..": filepath.Dir(top), "": top,
	} {
		if got := said(h.Directory(path, "")); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
	if got := said(h.Directory("file", top+"/sub")); got != "! "+file+" is a file; name the directory "+top+"/sub" {
		t.Error(got)
	}
	for path, want := range map[string]string{
		"new": top + "/new", "~/home": top + "/home", top + "/whole": top + "/whole", "none/x": "! there is no directory " + top + "/none; make it, or name another file",
		"sub/file": "! " + file + " exists and is not overwritten; name another file", "sub/file/x": "! export: open " + file + "/x: not a directory",
	} {
		if got := said(h.Write(path, "", []byte("the key is gsk_very_secret_key_0123456789."))); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
		if strings.HasPrefix(want, "!") {
			continue
		}
		content, err := os.ReadFile(want)
		if info, wrong := os.Stat(want); err != nil || wrong != nil || info.Mode().Perm() != 0o600 || strings.Contains(string(content), "secret") || !strings.HasPrefix(string(content), "the key is ") {
			t.Errorf("%s: %q, %v", want, content, err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
	full := World{Environ: p.world.Environ}
	if got := said(writeNew(full, "/dev/full/x", "", nil)); got != "! export: open /dev/full/x: not a directory" {
		t.Error(got)
	}
}
