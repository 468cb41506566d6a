package actors_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/shell"
)

// commanding is a model that runs the prompt in a shell and answers with the result.
func commanding(request modeltest.Request) modeltest.Step {
	if last := request.Last(); last.Role == messages.Tool {
		return modeltest.Text(last.Result.Text)
	}
	return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": request.Last().Text}})
}

// shellTree is a conversation with a user and a sandboxed shell.
func shellTree(t *testing.T, dir string, rules *tools.Permissions) *actorstest.Tree {
	t.Helper()
	return shellTreeOf(t, dir, rules, commanding)
}

func shellTreeOf(t *testing.T, dir string, rules *tools.Permissions, model func(modeltest.Request) modeltest.Step) *actorstest.Tree {
	t.Helper()
	sandbox := tools.NewSandbox(tools.SandboxConfig{Environ: os.Environ(), Home: filepath.Join(dir, "home")})
	t.Cleanup(func() {
		if err := sandbox.Close(); err != nil {
			t.Error(err)
		}
	})
	return actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, model), Tools: shell.Tools(), Dir: dir, Home: t.TempDir(),
		Policy: &actors.Policy{Coding: true, Person: true}, Sandbox: sandbox, Rules: rules,
	})
}

// answer sends a prompt, answers its question, and returns the question and the final text.
func answer(tree *actorstest.Tree, prompt string, choice messages.Choice) (messages.Asked, string) {
	tree.Client.Send(messages.Say(prompt))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
	return asked, tree.Finish().Ended.Text
}

// unholdable is a directory that no sandbox can contain, because the home directory is inside it.
func unholdable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// held prints whether it runs in a sandbox. It does not count as a command that only reads.
const held = "tee /dev/null < /proc/self/status"

func TestUnreviewedCommandRunsSandboxed(t *testing.T) {
	tree := shellTree(t, t.TempDir(), nil)
	if _, said := answer(tree, held, messages.Always); !strings.Contains(said, "NoNewPrivs:\t0") {
		t.Errorf("looked at: %s", said)
	}
	turn := tree.Prompt(held)
	if len(actorstest.TurnEvents[messages.Asked](turn)) != 0 {
		t.Skip("this system has no complete sandbox")
	}
	if !strings.Contains(turn.Ended.Text, "NoNewPrivs:\t1") {
		t.Errorf("not looked at: %s", turn.Ended.Text)
	}
}

// No permission of the conversation covers a call that cannot be undone, and none is offered.
func TestTheIrreversibleIsAskedAboutEachTime(t *testing.T) {
	tree := shellTree(t, t.TempDir(), nil)
	answer(tree, "touch a", messages.Always)
	for range 2 {
		asked, said := answer(tree, "git reset --hard", messages.Always)
		if slices.Contains(asked.Choices, messages.Always) || !strings.HasPrefix(asked.Detail, "discards uncommitted work: git reset --hard\n") {
			t.Errorf("asked %+v", asked)
		}
		if !strings.Contains(said, "not a git repository") {
			t.Errorf("after yes: %s", said)
		}
	}
	if _, said := answer(tree, "rm -rf /nonexistent-marvin", messages.No); !strings.Contains(said, "the user said no") {
		t.Errorf("after no: %s", said)
	}
}

func TestWithoutASandboxAlwaysIsNotAlways(t *testing.T) {
	tree := shellTree(t, unholdable(t), nil)
	answer(tree, "echo it", messages.Always) // Always was not offered
	asked, said := answer(tree, "echo ran", messages.Yes)
	if !strings.Contains(asked.Detail, "There is no sandbox here, so each command needs your approval: ") || slices.Contains(asked.Choices, messages.Always) || !strings.HasPrefix(said, "ran\n") {
		t.Errorf("asked %+v, said %q", asked, said)
	}
	if _, said := answer(tree, "echo ran", messages.No); strings.Contains(said, "ran\n") {
		t.Errorf("after no: %q", said)
	}
}

func TestRulesOfTheUserDecide(t *testing.T) {
	rules, err := tools.NewPermissions([]string{"run_command(echo *)"}, []string{"run_command(date *)"}, []string{"run_command(curl *)"})
	if err != nil {
		t.Fatal(err)
	}
	tree := shellTree(t, t.TempDir(), rules)
	answer(tree, "touch a", messages.Always)
	for line, want := range map[string]string{"curl x": "not allowed by the user's rules", "echo $(curl x)": "your rule denies curl x"} {
		turn := tree.Prompt(line)
		if ended := actorstest.TurnEvents[messages.ToolEnded](turn); len(ended) != 1 || ended[0].Status != messages.Forbidden || !strings.Contains(turn.Ended.Text, want) {
			t.Errorf("%s: %+v", line, ended)
		}
	}
	if asked, _ := answer(tree, "date", messages.No); !strings.Contains(asked.Detail, "your rule requires your approval for date") {
		t.Errorf("asked %+v", asked)
	}
	if turn := tree.Prompt("echo allowed"); len(actorstest.TurnEvents[messages.Asked](turn)) > 0 && !strings.Contains(actorstest.TurnEvents[messages.Asked](turn)[0].Detail, "no sandbox") {
		t.Error("an allowed command needed consent")
	}
}

func TestASubAgentGetsNoMoreThanItsCaller(t *testing.T) {
	sandbox := tools.NewSandbox(tools.SandboxConfig{Environ: os.Environ()})
	defer sandbox.Close()
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text(request.Last().Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "git push --force"}})
	}))
	all := append(shell.Tools(), delegate(1, 1, nil))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: all, Dir: t.TempDir(), Sandbox: sandbox, Policy: &actors.Policy{Coding: true, Person: true},
	})
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	if turn := tree.Finish(); slices.Contains(asked.Choices, messages.Always) || !strings.Contains(asked.Detail, "git push --force") || !strings.Contains(turn.Ended.Text, "the user said no") {
		t.Errorf("asked %+v: %s", asked, turn.Ended.Text)
	}
	alone := actorstest.Start(t, actorstest.Setup{Server: server, Tools: all, Dir: t.TempDir(), Sandbox: sandbox})
	if turn := alone.Prompt("go"); !strings.Contains(turn.Ended.Text, "not allowed without a user") {
		t.Errorf("without a person: %s", turn.Ended.Text)
	}
}
