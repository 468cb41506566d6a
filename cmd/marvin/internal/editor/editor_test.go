package editor

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/disktest"
)

// programsThatSay returns a world with programs that print their arguments.
func programsThatSay(t *testing.T, names ...string) (world cli.World, set map[string]string) {
	t.Helper()
	bin, set := t.TempDir(), map[string]string{}
	for _, name := range append(names, "sh") {
		path := filepath.Join(bin, name)
		if name == "sh" {
			shell, err := exec.LookPath("sh")
			if err == nil {
				err = os.Symlink(shell, path)
			}
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := disktest.WriteProgram(path, []byte("#!/bin/sh\nfor last; do :; done\necho \""+name+" $*\" \"less=$LESS open=$LESSOPEN secure=$LESSSECURE\" >\"$last.called\"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	environ := []string{"PATH=" + bin, "LESSOPEN=|x"}
	return cli.World{Environ: environ, Getenv: func(name string) string { return set[name] }, Stdout: &bytes.Buffer{}}, set
}

func TestEditorChoice(t *testing.T) {
	for _, test := range []struct {
		there, visual, editor string
		line                  int
		want                  string // how it was called, with FILE; else the error
	}{
		{"nano vi", "", "", 0, "nano FILE"},
		{"nano vi", "", "", 7, "nano +7 FILE"},
		{"vi", "", "", 1, "vi +1 FILE"},
		{"nano mine", "", "mine", 3, "mine FILE"},
		{"nano mine vim", "vim -u NONE", "mine", 3, "vim -u NONE +3 FILE"},
		{"hx", "", "hx", 3, "hx FILE:3"},
		{"hx", "", "hx", 0, "hx FILE"},
		{"code", "", "code --wait", 3, "code --wait --goto FILE:3"},
		{"nano", "", "gone -x", 3, "gone -x: exit status 127 (set EDITOR to an editor that is installed)"},
		{"", "", "", 0, "vi: exit status 127 (set EDITOR to an editor that is installed)"},
		{"", "", "exit 3 #", 0, "exit 3 #: exit status 3 (set EDITOR to an editor that is installed)"},
	} {
		world, set := programsThatSay(t, strings.Fields(test.there)...)
		set["VISUAL"], set["EDITOR"] = test.visual, test.editor
		file := filepath.Join(t.TempDir(), "a.txt")
		err := Editor{World: world}.OpenAt(file, test.line)
		if got := calledAs(t, file, err); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// calledAs returns the arguments with which a program was called, or the error.
func calledAs(t *testing.T, file string, err error) string {
	t.Helper()
	if err != nil {
		return err.Error()
	}
	found, err := filepath.Glob(file + "*.called")
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	said, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	call, _, _ := strings.Cut(string(said), " less=")
	return strings.ReplaceAll(call, file, "FILE")
}

func TestPagerChoice(t *testing.T) {
	const held, own = "less= open= secure=1", "less= open=|x secure="
	for _, test := range []struct{ there, pager, want, environ string }{
		{"less more", "", "less FILE", held},
		{"more", "", "more FILE", held},
		{"less mine", "mine -R", "mine -R FILE", own},
		{"less", "gone", "gone: exit status 127 (set PAGER to a pager that is installed)", ""},
		{"", "", "there is no pager: set PAGER, or open FILE", ""},
	} {
		world, set := programsThatSay(t, strings.Fields(test.there)...)
		set["PAGER"] = test.pager
		file := filepath.Join(t.TempDir(), "a.txt")
		err := Editor{World: world}.Page(file)
		if got := calledAs(t, file, err); strings.ReplaceAll(got, file, "FILE") != test.want {
			t.Errorf("%+v: %s", test, got)
		}
		if said, _ := os.ReadFile(file + ".called"); err == nil && !strings.Contains(string(said), test.environ) {
			t.Errorf("%+v: it was told %s", test, said)
		}
	}
}

func TestShellChoice(t *testing.T) {
	world, set := programsThatSay(t)
	for shell, want := range map[string]string{"": "", "sh": "", "gone": "open a shell: ", "/nowhere/sh": "open a shell: "} {
		set["SHELL"] = shell
		dir := t.TempDir()
		input := filepath.Join(dir, "input")
		if err := os.WriteFile(input, []byte("echo here >made\nexit 3\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		stdin, err := os.Open(input)
		if err != nil {
			t.Fatal(err)
		}
		world.Stdin = stdin
		err = Editor{World: world}.Shell(dir)
		_ = stdin.Close()
		made, _ := os.ReadFile(filepath.Join(dir, "made"))
		if want == "" && (err != nil || string(made) != "here\n") {
			t.Errorf("%q: %v, and made was %q", shell, err, made)
		}
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), " (set SHELL to a shell that is installed)")) {
			t.Errorf("%q: %v", shell, err)
		}
	}
}
