package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

func TestAConversationThatTheDiskDoesNotTakeIsAFailure(t *testing.T) {
	t.Parallel()
	for limit, want := range map[string]int{"unlimited": 0, "200": 1} { // blocks of 512 bytes a file
		run := process(t, func(modeltest.Request) modeltest.Step {
			return modeltest.Text(strings.Repeat("all of the answer ", 10_000))
		}, "--session", "trip", "-p", "go")
		shell, err := exec.LookPath("sh")
		if err != nil {
			t.Skip(err)
		}
		bin := t.TempDir() // the program knows by its name that it is no test
		if err := os.Symlink(run.Path, filepath.Join(bin, "marvin")); err != nil {
			t.Fatal(err)
		}
		run.Env = append(run.Env, "PATH="+bin+":"+os.Getenv("PATH"))
		run.Path, run.Args = shell, append([]string{"sh", "-c", `ulimit -f "$0" && exec marvin "$@"`, limit}, run.Args[1:]...)
		stdout, stderr, code := ends(t, run)
		if code != want || !strings.Contains(stdout, "all of the answer") || (want != 0) != strings.Contains(stderr, "Error: keep the conversation: the end of the conversation is lost") || !strings.Contains(stderr, "MARVIN_COST:") {
			t.Errorf("%s: exit code %d\n%.100s\n%s", limit, code, stdout, stderr)
		}
	}
}
