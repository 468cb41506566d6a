package shell

import (
	"os"
	"strings"
	"testing"
)

func TestLinesOfUserRememberDirectoryAndVariables(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/it's sub", 0o755); err != nil {
		t.Fatal(err)
	}
	var person UserShell
	environ := append(os.Environ(), "GOES=away")
	run := func(line, want string, wrong bool) {
		t.Helper()
		var heard strings.Builder
		got, err := person.Run(t.Context(), line, dir, environ, &heard)
		if !strings.Contains(got, want) || (err != nil) != wrong {
			t.Errorf("%s prints %q (%v), want %q", line, got, err, want)
		}
		if heard.String() != got {
			t.Errorf("%s prints %q, and %q arrived as it came", line, got, heard.String())
		}
	}
	run(`cd "it's sub"; export ROSE="red
and white"; unset GOES`, "[the shell is now in "+dir+"/it's sub; to move Marvin there, type /cd and that path]", false)
	run(`echo "$ROSE|$GOES|$(basename "$PWD")"`, "red\nand white||it's sub", false)
	run("exit 3", "", true)
	run("kill -9 $$", "", true)
	run(`if`, "", true)
	run(`echo "$ROSE"; export ROSE=`, "red\nand white", false)
	run(`echo "<$ROSE>"`, "<>", false)
	run("cd ..", "[the shell is now in "+dir+";", false)
	other := t.TempDir()
	if got, err := person.Run(t.Context(), "pwd", other, environ, nil); err != nil || !strings.HasPrefix(got, other) {
		t.Errorf("in another directory of the conversation: %q, %v", got, err)
	}
}

func TestNothingStaysOfALine(t *testing.T) {
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	var person UserShell
	for _, line := range []string{"export ROSE=red", "echo $ROSE", "exit 3"} {
		got, _ := person.Run(t.Context(), line, t.TempDir(), os.Environ(), nil)
		if line == "echo $ROSE" && got != "red\n" {
			t.Errorf("%s: %q", line, got)
		}
		if left, err := os.ReadDir(scratch); len(left) > 0 || err != nil {
			t.Errorf("of %s are left %v, %v", line, left, err)
		}
	}
	t.Setenv("TMPDIR", scratch+"/none")
	for line, want := range map[string]string{"echo $ROSE": "red\n", "export ROSE=blue": ""} {
		if got, err := person.Run(t.Context(), line, t.TempDir(), os.Environ(), nil); got != want || err != nil {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
	if person.set["ROSE"] != "red" {
		t.Errorf("it is %q", person.set["ROSE"])
	}
}
