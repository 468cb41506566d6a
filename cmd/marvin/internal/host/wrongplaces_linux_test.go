package host

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/app/apptest"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/persistence"
)

func TestPreferencesThatCannotBeEdited(t *testing.T) {
	p, _ := apptest.AtHome(t, nil)
	values := map[string]string{"EDITOR": "true"}
	p.World.Getenv, p.World.Stdout = func(name string) string { return values[name] }, &bytes.Buffer{}
	h := persons{p}
	if err := h.EditPreferences("default"); err != nil {
		t.Error(err)
	}
	path := h.PreferencesPath("default")
	if _, err := os.Stat(path); err != nil || !strings.HasPrefix(path, p.Config.Home.State) {
		t.Errorf("%s: %v", path, err)
	}
	values["EDITOR"] = "false"
	clitest.CheckError(t, "the editor", h.EditPreferences("default"), "false: exit status 1", "")
	values["EDITOR"] = `sh -c 'rm "$0" && mkdir "$0"'`
	clitest.CheckError(t, "a directory for a file", h.EditPreferences("default"), "preferences: "+path+" is not a regular file", "")
	clitest.WriteFile(t, "", filepath.Dir(filepath.Dir(path)), "file")
	clitest.CheckError(t, "a file for a profile", h.EditPreferences("file"), "preferences: ", "not a directory")
	if names, err := h.Profiles(); err != nil || strings.Join(names, " ") != "default" {
		t.Errorf("%q, %v", names, err)
	}
	p.Config.Home = persistence.Open("", p.World.Now)
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

func TestAPictureThatCannotBeKept(t *testing.T) {
	dot, err := base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := apptest.AtHome(t, nil)
	state := p.Config.Home.State
	h := PictureHost{App: p}
	clitest.WriteFile(t, "", state)
	_, _, err = h.keepPasted(dot)
	clitest.CheckError(t, "a file for the state", err, "mkdir "+state, ": not a directory")
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	clitest.WriteFile(t, "", state, "pictures")
	_, _, err = h.keepPasted(dot)
	clitest.CheckError(t, "a file for the pictures", err, "mkdir ", ": not a directory")
	if err := os.Remove(filepath.Join(state, "pictures")); err != nil {
		t.Fatal(err)
	}
	// As old as may be, and older by a moment.
	for name, age := range map[string]int64{"pasted-edge.gif": 0, "pasted-old.gif": 1, "mine.gif": 9} {
		at := p.World.Now().Add(-pastedAge - time.Duration(age)*time.Second)
		if err := os.Chtimes(clitest.WriteFile(t, "", state, "pictures", name), at, at); err != nil {
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

func TestDirectoriesAndFilesThatAreNone(t *testing.T) {
	p, _ := apptest.AtHome(t, nil)
	h, top := workplace{p}, p.World.Home
	file := clitest.WriteFile(t, "x", top, "sub", "file")
	for path, want := range map[string]string{
		"sub": top + "/sub", `"sub"`: top + "/sub", "'sub/'": top + "/sub", "~": top, "~/sub": top + "/sub", "~sub": "! there is no directory " + top + "/~sub; make it, or name another",
		"none": "! there is no directory " + top + "/none; make it, or name another", "sub/file": "! " + file + " is a file; give its directory: " + top + "/sub",
		"sub/file/x": "! change the directory: stat " + file + "/x: not a directory", "/": "/", "..": filepath.Dir(top), "": top,
	} {
		if got := clitest.ValueOrError(h.Directory(path, "")); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
	if got := clitest.ValueOrError(h.Directory("file", top+"/sub")); got != "! "+file+" is a file; give its directory: "+top+"/sub" {
		t.Error(got)
	}
	for path, want := range map[string]string{
		"new": top + "/new", "~/home": top + "/home", top + "/whole": top + "/whole", "none/x": "! there is no directory " + top + "/none; make it, or choose another file",
		"sub/file": "! " + file + " already exists and will not be overwritten; choose another file", "sub/file/x": "! export: open " + file + "/x: not a directory",
	} {
		if got := clitest.ValueOrError(h.Write(path, "", []byte("the key is gsk_very_secret_key_0123456789."))); got != want {
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
	full := cli.World{Environ: p.World.Environ}
	if got := clitest.ValueOrError(cli.WriteNew(full, "/dev/full/x", "", nil)); got != "! export: open /dev/full/x: not a directory" {
		t.Error(got)
	}
}
