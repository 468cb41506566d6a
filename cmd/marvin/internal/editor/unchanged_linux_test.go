package editor

import (
	"bytes"
	"os"
	"testing"

	"marvin/cmd/marvin/internal/app/apptest"
	"marvin/cmd/marvin/internal/cli/clitest"
)

func TestAnEditorThatChangesNothing(t *testing.T) {
	p, set := apptest.AtHome(t, map[string]string{})
	world, values := p.World, map[string]string{}
	world.Getenv, world.Stdout = func(name string) string { return values[name] }, &bytes.Buffer{}
	e := Editor{World: world}
	for command, want := range map[string][2]string{
		"rm":    {"read the edited file: open ", "prompt.md: no such file or directory"},
		"false": {"false: exit status 1 (set EDITOR", "is installed)"},
	} {
		values["EDITOR"] = command
		text, err := e.Edit("as it is")
		if clitest.CheckError(t, command, err, want[0], want[1]); text != "as it is" {
			t.Errorf("%s: it is now %q", command, text)
		}
	}
	values["EDITOR"] = "cp " + clitest.WriteFile(t, "changed\n\n", world.Home, "other")
	if text, err := e.Edit("as it is"); err != nil || text != "changed" {
		t.Errorf("%q, %v", text, err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	if _, err := e.Edit("x"); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	t.Setenv("TMPDIR", clitest.WriteFile(t, "", temporary, "file"))
	text, err := e.Edit("as it is")
	if clitest.CheckError(t, "a file for a directory", err, "make a file for the editor: ", ": not a directory"); text != "as it is" {
		t.Errorf("it is now %q", text)
	}
	values["PAGER"] = "false"
	clitest.CheckError(t, "a pager", e.Page("x"), "false: exit status 1 (set PAGER", "is installed)")
	e.World.Environ = []string{"PATH=" + temporary}
	clitest.CheckError(t, "no shell for a pager", e.Page("x"), "open a pager: ", "")
	clitest.CheckError(t, "no shell for an editor", e.Open("x"), "open an editor: ", "")
	values["SHELL"] = "none-such"
	clitest.CheckError(t, "no shell", e.Shell("/"), "open a shell: ", " (set SHELL to a shell that is installed)")
	if set.Len() > 0 {
		t.Error(set)
	}
}
