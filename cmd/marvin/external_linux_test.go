package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/disktest"
)

// outsideTmp returns a directory that is not below /tmp, because a program in the sandbox has a
// private /tmp.
func outsideTmp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "external")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// employing returns a Marvin in a project. The agent "other" in config.yaml is a second Marvin.
func employing(t *testing.T, approve string, args ...string) *exec.Cmd {
	t.Helper()
	command := process(t, doing)
	command.Args, command.Dir = append([]string{"marvin"}, args...), outsideTmp(t)
	home, program := strings.TrimPrefix(command.Env[0], "HOME="), filepath.Join(outsideTmp(t), "marvin")
	content, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = disktest.WriteProgram(program, content, 0o755)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(home, ".config", "marvin"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(home, ".config", "marvin", "config.yaml"), []byte("agents:\n  other:\n    command: ["+program+
			", acp, --provider, openai-compat, --sandbox, 'off', --approve, "+approve+"]\n    env: [OPENAI_COMPAT_URL, OPENAI_COMPAT_API_KEY]\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return command
}

func TestAnAgentOfOthersDoesATask(t *testing.T) {
	t.Parallel()
	command := employing(t, "auto", "--non-interactive", "--provider", "openai-compat", "-p",
		`launch_agent {"agent":"other","prompt":"create_file {\"path\":\"made.txt\",\"content\":\"by another\\n\"}"}`)
	out, err := command.CombinedOutput()
	if made, _ := os.ReadFile(filepath.Join(command.Dir, "made.txt")); string(made) != "by another\n" {
		t.Errorf("made.txt holds %q", made)
	}
	for _, want := range []string{"Created made.txt", "[Marvin checked: the agent changed made.txt (new); Marvin cannot undo that]", "[completed; 1 round of tools; $", `"agent other":0.00`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%v, and %q is not in\n%s", err, want, out)
		}
	}
}

// The user is asked before the agent starts, and for each call for which it requests a permission.
// A refusal reaches the agent, and /undo undoes its changes.
func TestAnAgentOfOthersAsksTheUserAndIsUndone(t *testing.T) {
	t.Parallel()
	command := employing(t, "ask", "acp", "--provider", "openai-compat", "--approve", "ask")
	e := inEditorBy(t, command)
	e.dir = command.Dir
	if err := os.WriteFile(filepath.Join(e.dir, "kept.txt"), []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer, asked := "for this call", []string(nil)
	e.answer = func(request frame) any {
		if request.Method == "session/request_permission" {
			return choosing("allow")(request)
		}
		var form struct {
			Message         string
			RequestedSchema struct{ Properties map[string]json.RawMessage }
		}
		_ = json.Unmarshal(request.Params, &form)
		content := map[string]string{}
		for name := range form.RequestedSchema.Properties {
			content[name] = answer
		}
		asked = append(asked, form.Message)
		return map[string]any{"action": "accept", "content": content}
	}
	session := e.begin(`{"elicitation":{"form":{}}}`)
	const task = `launch_agent {"agent":"other","prompt":"run_command {\"command\":\"echo after > kept.txt\"}"}`
	e.until(e.prompt(session, task))
	if got, _ := os.ReadFile(filepath.Join(e.dir, "kept.txt")); string(got) != "after\n" || len(asked) != 1 || !strings.Contains(asked[0], "May the agent other do this?") || !strings.Contains(asked[0], "echo after > kept.txt") {
		t.Errorf("the file holds %q; asked: %q; said: %s", got, asked, e.said())
	}
	e.until(e.prompt(session, "/undo"))
	if got, _ := os.ReadFile(filepath.Join(e.dir, "kept.txt")); string(got) != "before\n" {
		t.Errorf("after /undo the file holds %q: %s", got, e.said())
	}
	answer = "do not allow it"
	e.until(e.prompt(session, task))
	if got, _ := os.ReadFile(filepath.Join(e.dir, "kept.txt")); string(got) != "before\n" || len(asked) != 2 || !strings.Contains(e.said(), "the agent changed no file") {
		t.Errorf("refused: the file holds %q; asked: %q; said: %s", got, asked, e.said())
	}
}

// The same task goes to an external agent and to Marvin, each in a worktree. The user's command
// judges both in the sandbox.
func TestAgentsAreComparedOnOneTask(t *testing.T) {
	t.Parallel()
	command := employing(t, "auto", "--non-interactive", "--approve", "auto", "--provider", "openai-compat", "-p",
		`launch_agent {"compare":["other","marvin"],"judge":"test -s made.txt","prompt":"create_file {\"path\":\"made.txt\",\"content\":\"made\\n\"}"}`)
	for _, args := range [][]string{{"init", "--quiet"}, {"config", "user.name", "a"}, {"config", "user.email", "a@b.c"}, {"commit", "--quiet", "--allow-empty", "-m", "begin"}} {
		git := exec.Command("git", args...)
		git.Dir = command.Dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	out, err := command.CombinedOutput()
	for _, want := range []string{"| other | completed | passed |", "| marvin | completed | passed |", "2 of 2 agents passed: other, marvin.", "branch marvin/"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%v, and %q is not in\n%s", err, want, out)
		}
	}
	if _, err := os.Stat(filepath.Join(command.Dir, "made.txt")); err == nil {
		t.Error("the work of an agent is in the user's directory")
	}
}

// A command in an additional directory of the editor can write only there, and the git hooks of the
// directory stay unchanged.
func TestACommandInAnotherOpenDirectoryWritesThereOnly(t *testing.T) {
	t.Parallel()
	e := inEditor(t, doing, "--approve", "auto", "--sandbox", "workspace")
	e.dir = outsideTmp(t)
	other, third := outsideTmp(t), outsideTmp(t)
	if out, err := exec.Command("git", "init", "-q", other).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	e.call("initialize", `{"protocolVersion":1}`)
	session := e.open("session/new", `{"cwd":%q,"additionalDirectories":[%q],"mcpServers":[]}`, e.dir, other)
	tries := fmt.Sprintf("for dir in %s %s %s %s/.git/hooks; do touch $dir/NAME; done; true", e.dir, other, third, other)
	for name, dir := range map[string]string{"there": other, "here": e.dir} {
		e.until(e.prompt(session, fmt.Sprintf(`run_command {"command":%q,"cwd":%q}`, strings.ReplaceAll(tries, "NAME", name), dir)))
	}
	e.until(e.prompt(session, fmt.Sprintf(`set_working_dir {"path":%q}`, other)))
	e.until(e.prompt(session, fmt.Sprintf(`run_command {"command":%q}`, strings.ReplaceAll(tries, "NAME", "moved"))))
	var made []string
	for _, dir := range []string{e.dir, other, third, filepath.Join(other, ".git", "hooks")} {
		for _, name := range []string{"there", "here", "moved"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				made = append(made, filepath.Join(dir, name))
			}
		}
	}
	if want := []string{filepath.Join(e.dir, "here"), filepath.Join(other, "there"), filepath.Join(other, "moved")}; !slices.Equal(made, want) {
		t.Errorf("the commands made %q, not %q; said: %s", made, want, e.said())
	}
}
