package actors_test

import (
	"os"
	"os/exec"
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

// repository is a directory in which the sandbox prevents the creation of a file.
func repository(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	if out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir, filepath.Join(dir, ".git", "hooks", "marker")
}

const meets = "echo first >> runs; touch .git/hooks/marker"

// inAuto is a conversation in which commands run in the sandbox unasked.
func inAuto(t *testing.T, dir string, person bool, mode tools.SandboxMode) *actorstest.Tree {
	t.Helper()
	sandbox := tools.NewSandbox(tools.SandboxConfig{Mode: mode, Environ: os.Environ()})
	t.Cleanup(func() {
		if err := sandbox.Close(); err != nil {
			t.Error(err)
		}
	})
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Dir: dir, Home: t.TempDir(), Sandbox: sandbox, Keep: begins,
		Policy: &actors.Policy{Coding: true, Person: person, Approval: messages.ApproveAuto},
	})
	if turn := tree.Prompt("true"); strings.Contains(turn.Ended.Text, "was not run") || len(actorstest.TurnEvents[messages.Asked](turn)) > 0 {
		t.Skip("this system has no complete sandbox")
	}
	return tree
}

// A command that only reads is not listed among the calls that cannot be undone.
func TestACommandThatOnlyReadIsNothingToUndo(t *testing.T) {
	tree := inAuto(t, t.TempDir(), true, tools.SandboxAuto)
	for _, one := range []struct{ turn, command, says string }{{"t2", "ls -la", ""}, {"t3", "touch here", "run_command touch here"}} {
		tree.Prompt(one.command)
		tree.Client.Send(messages.Undo{Turn: one.turn})
		if notice := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(notice.Text, one.says) || one.says == "" && strings.Contains(notice.Text, "run_command") {
			t.Errorf("after %s, undo says %q", one.command, notice.Text)
		}
	}
}

func TestACommandThatMetTheSandboxMayRunOutside(t *testing.T) {
	dir, file := repository(t)
	tree := inAuto(t, dir, true, tools.SandboxAuto)
	asked, said := answer(tree, meets, messages.No)
	if !strings.HasPrefix(asked.Title, "The sandbox blocked") || slices.Contains(asked.Choices, messages.Always) || !strings.Contains(asked.Detail, meets) || !strings.Contains(asked.Detail, "all your permissions") {
		t.Errorf("asked %+v", asked)
	}
	if !strings.Contains(said, "said no") || !strings.Contains(said, "[sandbox: ") {
		t.Errorf("after no the model reads %s", said)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("it was let out by a no")
	}
	tree.Client.Send(messages.Say(meets))
	asked = actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	turn := tree.Finish()
	if _, err := os.Stat(file); err != nil || !strings.HasPrefix(turn.Ended.Text, "[The sandbox blocked the first run") || strings.Contains(turn.Ended.Text, "[sandbox: ") {
		t.Errorf("after yes: %v, %s", err, turn.Ended.Text)
	}
	if more := actorstest.TurnEvents[messages.Asked](turn); len(more) != 0 {
		t.Errorf("asked again: %+v", more)
	}
	if started := actorstest.Pick[messages.ToolStarted](tree.Seen); len(started) != 3 {
		t.Errorf("%d calls were shown, not 3", len(started))
	}
	if runs, err := os.ReadFile(filepath.Join(dir, "runs")); err != nil || strings.Count(string(runs), "first") != 3 {
		t.Errorf("it ran %q, %v", runs, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if asked, _ := answer(tree, meets, messages.No); !strings.HasPrefix(asked.Title, "The sandbox blocked") {
		t.Errorf("the next one is out by the yes to the one before: %+v", asked)
	}
}

func TestNothingElseGetsOutsideTheSandbox(t *testing.T) {
	for _, one := range []struct {
		person bool
		mode   tools.SandboxMode
	}{{false, tools.SandboxAuto}, {true, tools.SandboxWorkspace}} {
		dir, file := repository(t)
		turn := inAuto(t, dir, one.person, one.mode).Prompt(meets)
		if _, err := os.Stat(file); err == nil || len(actorstest.TurnEvents[messages.Asked](turn)) > 0 || !strings.Contains(turn.Ended.Text, "[sandbox: ") || strings.Contains(turn.Ended.Text, "was asked") {
			t.Errorf("%+v: %v, %s", one, err, turn.Ended.Text)
		}
	}
}

func TestACancelLeavesItInside(t *testing.T) {
	dir, file := repository(t)
	tree := inAuto(t, dir, true, tools.SandboxAuto)
	tree.Client.Send(messages.Say(meets))
	actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Cancel{})
	turn := tree.Finish()
	ended := actorstest.TurnEvents[messages.ToolEnded](turn)
	if _, err := os.Stat(file); err == nil || turn.Ended.Outcome != messages.Cancelled || len(ended) != 1 || !strings.Contains(ended[0].Text, "[sandbox: ") {
		t.Errorf("%v, %+v", err, ended)
	}
}
