package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// A run for one answer can be continued, also under another path of its directory. A user at a
// terminal who continues the last conversation does not get it.
func TestARunForOneAnswerCanBeContinued(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	ask := func(at string, args ...string) string {
		var asked string
		command := process(t, func(request modeltest.Request) modeltest.Step {
			asked = string(request.Raw)
			return modeltest.Text("noted")
		})
		command.Args = append([]string{"marvin", "--non-interactive", "--provider", "openai-compat"}, args...)
		command.Env[0], command.Dir = "HOME="+home, at
		command.Env = append(command.Env, "PWD="+at)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return asked
	}
	kept := func(below string) (names []string) {
		names, err := filepath.Glob(filepath.Join(home, ".local/share/marvin/sessions", below, "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	ask(dir, "--session", "talk", "--prompt", "the word is OAK")
	for n := range 6 {
		ask(link, "--prompt", fmt.Sprintf("the word is FIG%d", n))
	}
	ask(dir, "--no-session", "--prompt", "the word is ELM")
	if lasting, passing := kept("*"), kept(".answers/*"); len(lasting) != 1 || len(passing) != 4 {
		t.Errorf("%d conversations and %d runs are kept", len(lasting), len(passing))
	}
	if sent := ask(dir, "-c", "--prompt", "which word?"); !strings.Contains(sent, "FIG5") || strings.Contains(sent, "FIG4") || strings.Contains(sent, "OAK") {
		t.Errorf("the run continues with %.500s", sent)
	}
	if sent := ask(link, "-c", "--prompt", "and now?"); !strings.Contains(sent, "FIG5") || !strings.Contains(sent, "which word?") || len(kept("*")) != 2 {
		t.Errorf("the continued run sends %.500s", sent)
	}
}
