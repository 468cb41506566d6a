package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
)

// edited is a conversation whose files change while it runs.
type edited struct {
	*client
	home, dir string
}

func edit(t *testing.T) edited {
	c := connect(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			return modeltest.Text("result: ", last.Result.Text)
		}
		name, text, _ := strings.Cut(request.Last().Text, " ")
		return modeltest.Calls(modeltest.Call{Name: name, Args: map[string]string{"text": text}})
	}, "--working-dir", ".")
	_, home, _ := strings.Cut(c.command.Env[0], "=")
	return edited{c, home, c.command.Dir}
}

// marvin runs a command of the same user beside the conversation.
func (e edited) marvin(args ...string) {
	e.t.Helper()
	command := exec.CommandContext(e.t.Context(), os.Args[0], args...)
	command.Args[0], command.Env, command.Dir = "marvin", e.command.Env, e.dir
	if out, err := command.CombinedOutput(); err != nil {
		e.t.Fatalf("marvin %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (e edited) write(name, content string, mode os.FileMode) {
	e.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		e.t.Fatal(err)
	}
	write := os.WriteFile
	if mode&0o100 != 0 {
		write = disktest.WriteProgram
	}
	if err := write(name, []byte(content), mode); err != nil {
		e.t.Fatal(err)
	}
}

// ask sends a prompt and returns the notices before the turn, and the answer.
func (e edited) ask(text string) (notices, answer string) {
	e.t.Helper()
	e.send(fmt.Sprintf(`{"type":"prompt","op":{"text":%q}}`, text))
	for {
		switch line := e.next(); line.Type {
		case "notice":
			notices += line.Event.Text + "\n"
		case "asked":
			e.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":"yes"}}`, line.Event.Ask))
		case "turn_ended":
			return notices, line.Event.Text
		case "error":
			e.t.Fatal(line.Error)
		}
	}
}

func TestExtensionsAreReloadedBeforeEachPrompt(t *testing.T) {
	t.Parallel()
	e := edit(t)
	config := filepath.Join(e.home, ".config", "marvin", "config.yaml")
	if _, answer := e.ask("mcp_office_run_command hello"); !strings.Contains(answer, "no tool called") {
		t.Errorf("before: %s", answer)
	}
	const server = "mcp:\n  office: {command: [%s], env: {MCP_PLAYS: well}, sandbox: \"off\", reads: [\"*\"]}\n"
	program := filepath.Join(e.home, "mcp-server")
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	office := fmt.Sprintf(server, program)
	e.write(config, office, 0o600)
	e.marvin("mcp", "test", "office")
	e.marvin("mcp", "approve", "office")
	notices, answer := e.ask("mcp_office_run_command hello")
	if !strings.Contains(notices, "MCP servers: office is new") || !strings.Contains(answer, "said: hello") {
		t.Errorf("with a server: %s %s", notices, answer)
	}

	hook := filepath.Join(e.home, "no.sh")
	e.write(hook, "#!/bin/sh\necho not today >&2\nexit 2\n", 0o700)
	guarded := office + "hooks:\n  tool.execute.before:\n    - {match: mcp_office_run_command, run: [" + hook + "]}\n"
	e.write(config, guarded, 0o600)
	if notices, answer = e.ask("mcp_office_run_command hello"); !strings.Contains(notices, "hooks: there are now 1, and there were 0 before") || !strings.Contains(answer, "not today") {
		t.Errorf("with a hook: %s %s", notices, answer)
	}
	e.write(config, "hooks: [", 0o600)
	for first := range 2 {
		notices, answer = e.ask("mcp_office_run_command hello")
		if told := strings.Contains(notices, "The previous configuration still applies"); told != (first == 0) || !strings.Contains(answer, "not today") {
			t.Errorf("with a configuration that no one understands: %s %s", notices, answer)
		}
	}
	e.write(config, office, 0o600)
	if _, answer = e.ask("mcp_office_run_command again"); !strings.Contains(answer, "said: again") {
		t.Errorf("without the hook: %s", answer)
	}

	e.marvin("tool", "new", "word_count")
	if notices, answer = e.ask("word_count one two"); !strings.Contains(notices, "tools: word_count is new") || !strings.Contains(answer, "result: 2") {
		t.Errorf("with a tool: %s %s", notices, answer)
	}
	e.marvin("mcp", "remove", "office")
	if notices, answer = e.ask("mcp_office_run_command hello"); !strings.Contains(notices, "office is gone") || !strings.Contains(answer, "no tool called") {
		t.Errorf("without the server: %s %s", notices, answer)
	}
	e.in.Close()
	if rest, code := e.ends(); code != 0 {
		t.Errorf("%d: %s", code, rest)
	}
}

func TestAToolOfTheProjectIsUsedOnceItIsAccepted(t *testing.T) {
	t.Parallel()
	if sandboxHere() != "MARVIN_SANDBOX=" {
		t.Skip("there is no sandbox here, and tools of a project run in one only")
	}
	e := edit(t)
	folder := filepath.Join(e.dir, ".marvin", "tools", "count_words")
	e.write(filepath.Join(folder, "tool.yaml"), "description: Counts words.\nparameters:\n  type: object\n  properties:\n    text: {type: string}\neffect: read\ncommand: [./run]\n", 0o600)
	e.write(filepath.Join(folder, "run"), "#!/bin/sh\necho words: 7\n", 0o700)
	if notices, answer := e.ask("count_words a"); !strings.Contains(notices, "this project offers tools that are off, because you have not accepted them: count_words") || !strings.Contains(answer, "no tool called") {
		t.Errorf("offered: %s %s", notices, answer)
	}
	e.marvin("tool", "accept", "count_words")
	if notices, answer := e.ask("count_words a"); !strings.Contains(notices, "tools: count_words is new") || !strings.Contains(answer, "words: 7") {
		t.Errorf("accepted: %s %s", notices, answer)
	}
	e.write(filepath.Join(folder, "more"), "", 0o600)
	if _, answer := e.ask("count_words a"); strings.Contains(answer, "words: 7") {
		t.Errorf("changed: %s", answer)
	}
	e.marvin("tool", "forget", "count_words")
	if _, answer := e.ask("count_words a"); !strings.Contains(answer, "no tool called") {
		t.Errorf("forgotten: %s", answer)
	}
}
