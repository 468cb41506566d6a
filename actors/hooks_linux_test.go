package actors_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/persistence/settings"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/files"
	"marvin/tools/shell"
)

// script writes a hook and returns its path.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hook")
	if err := disktest.WriteProgram(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func hooked(event, match string, bodies ...string) func(*testing.T) map[string][]settings.Hook {
	return func(t *testing.T) map[string][]settings.Hook {
		t.Helper()
		var list []settings.Hook
		for _, body := range bodies {
			list = append(list, settings.Hook{Match: match, Run: []string{script(t, body)}})
		}
		return map[string][]settings.Hook{event: list}
	}
}

// hookTree is a coding conversation with hooks, in which the model makes the given calls.
func hookTree(t *testing.T, dir string, own map[string][]settings.Hook, policy actors.Policy, calls ...modeltest.Call) *actorstest.Tree {
	t.Helper()
	return actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
			if last := request.Last(); last.Role == messages.Tool {
				return modeltest.Text("said: " + last.Result.Text)
			}
			return modeltest.Calls(calls...)
		}),
		Tools: append(files.Tools(), shell.Tools()...), Dir: dir, Home: t.TempDir(), Hooks: own, Policy: &policy, Environ: os.Environ(),
	})
}

func create(path string) modeltest.Call {
	return modeltest.Call{Name: "create_file", Args: map[string]string{"path": path, "content": "x\n"}}
}

func exists(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Stat(path)
	return err == nil
}

// A hook that says no in any form stops the call, and the model reads the reason.
func TestAHookBeforeACallStopsIt(t *testing.T) {
	for name, body := range map[string]string{
		"exit 2": "echo not on a Friday >&2; exit 2", "deny": `echo '{"decision":"deny","reason":"not on a Friday"}'`,
		"exit 1": "echo not on a Friday >&2; exit 1", "no JSON": "echo not on a Friday",
	} {
		dir := t.TempDir()
		own := hooked("tool.execute.before", "Write|apply_patch", body)(t)
		turn := hookTree(t, dir, own, actors.Policy{Coding: true}, create("a.txt")).Prompt("go")
		ended := actorstest.TurnEvents[messages.ToolEnded](turn)
		if exists(t, filepath.Join(dir, "a.txt")) || len(ended) != 1 || ended[0].Status != messages.Forbidden || !strings.Contains(turn.Ended.Text, "not on a Friday") {
			t.Errorf("%s: %+v, %q", name, ended, turn.Ended.Text)
		}
	}
}

// Names that other agents use for a tool and its arguments are translated before a hook sees them.
func TestAHookHearsTheCallAsItIs(t *testing.T) {
	dir := t.TempDir()
	own := hooked("tool.execute.before", "create_file", `grep -q '"tool":"create_file","args":{"path":"a.txt","content":"x"' || exit 0; echo seen >&2; exit 2`)(t)
	turn := hookTree(t, dir, own, actors.Policy{Coding: true}, modeltest.Call{Name: "Write", Args: map[string]string{"file_path": "a.txt", "content": "x"}}).Prompt("go")
	if exists(t, filepath.Join(dir, "a.txt")) || !strings.Contains(turn.Ended.Text, "seen") {
		t.Errorf("%q", turn.Ended.Text)
	}
}

func TestArgumentsChangedByHookAreJudged(t *testing.T) {
	dir := t.TempDir()
	rules, err := tools.NewPermissions(nil, nil, []string{"create_file(secret*)"})
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"b.txt", "secret.txt", "../out.txt"} {
		tree := actorstest.Start(t, actorstest.Setup{
			Server: modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if last := request.Last(); last.Role == messages.Tool {
					return modeltest.Text("said: " + last.Result.Text)
				}
				return modeltest.Calls(create("a.txt"))
			}),
			Tools: files.Tools(), Dir: dir, Home: t.TempDir(), Rules: rules, Environ: os.Environ(),
			Hooks: hooked("tool.execute.before", "", `echo '{"args":{"path":"`+to+`","content":"y"}}'`)(t),
		})
		turn := tree.Prompt("go")
		allowed := to == "b.txt"
		if exists(t, filepath.Join(dir, "a.txt")) || exists(t, filepath.Join(dir, to)) != allowed {
			t.Errorf("%s: %q", to, turn.Ended.Text)
		}
		if allowed && !strings.Contains(turn.Ended.Text, "were changed by one of the user's hooks") {
			t.Errorf("the model is not told: %q", turn.Ended.Text)
		}
	}
}

func TestAHookAsks(t *testing.T) {
	asks := hooked("tool.execute.before", "", `echo '{"decision":"ask","reason":"a new file"}'`)
	for _, choice := range []messages.Choice{messages.Yes, messages.No} {
		dir := t.TempDir()
		tree := hookTree(t, dir, asks(t), actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAll}, create("a.txt"))
		asked, _ := answer(tree, "go", choice)
		if exists(t, filepath.Join(dir, "a.txt")) != (choice == messages.Yes) || !strings.Contains(asked.Detail, "a new file") || len(asked.Choices) != 2 {
			t.Errorf("%s: %+v", choice, asked)
		}
	}
	dir := t.TempDir()
	turn := hookTree(t, dir, asks(t), actors.Policy{Coding: true, Approval: messages.ApproveAll}, create("a.txt")).Prompt("go")
	if exists(t, filepath.Join(dir, "a.txt")) || !strings.Contains(turn.Ended.Text, "a new file") {
		t.Errorf("%q", turn.Ended.Text)
	}
}

// A hook after a call can change its result; a hook that fails changes nothing.
func TestAHookAfterACall(t *testing.T) {
	for body, want := range map[string]string{
		`echo '{"result":"[redacted]"}'`:         "said: [redacted]",
		`echo '{"context":"run the tests too"}'`: "run the tests too",
		`echo 'run the tests too' >&2; exit 2`:   "run the tests too",
		`exit 1`:                                 "a.txt",
		`echo rubbish`:                           "a.txt",
		`kill -9 $$`:                             "a.txt",
		`grep -q '"status":"ok"' && echo '{"context":"it is fine"}'`: "it is fine",
	} {
		dir := t.TempDir()
		turn := hookTree(t, dir, hooked("tool.execute.after", "create_file", body)(t), actors.Policy{Coding: true}, create("a.txt")).Prompt("go")
		ended := actorstest.TurnEvents[messages.ToolEnded](turn)
		if !exists(t, filepath.Join(dir, "a.txt")) || len(ended) != 1 || ended[0].Status != messages.OK || !strings.Contains(turn.Ended.Text, want) {
			t.Errorf("%s: %+v, %q", body, ended, turn.Ended.Text)
		}
		failed := want == "a.txt"
		if notices := actorstest.TurnEvents[messages.Notice](turn); failed != (len(notices) == 1) {
			t.Errorf("%s: %v", body, notices)
		}
	}
}

func TestAHookThatHangsBehindACallTakesNothing(t *testing.T) {
	dir := t.TempDir()
	own := map[string][]settings.Hook{}
	for _, event := range []string{"tool.execute.after", "turn.end", "agent.stop", "agent.end"} {
		own[event] = []settings.Hook{{Run: []string{script(t, "trap '' TERM; sleep 600; sleep 600")}, Timeout: 300 * time.Millisecond}}
	}
	tree := hookTree(t, dir, own, actors.Policy{Coding: true}, create("a.txt"), create("b.txt"))
	for _, prompt := range []string{"go", "go on"} {
		turn := tree.Prompt(prompt)
		if turn.Ended.Outcome != messages.Completed || prompt == "go" && !strings.Contains(turn.Ended.Text, "b.txt") {
			t.Errorf("%s: %+v", prompt, turn.Ended)
		}
		for _, ended := range actorstest.TurnEvents[messages.ToolEnded](turn) {
			if ended.Status == messages.OK && ended.Summary == "" {
				t.Errorf("%s: the result of a call is empty: %+v", prompt, ended)
			}
		}
		late := 0
		for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
			if strings.Contains(notice.Text, "longer than") {
				late++
			}
		}
		if late < 2 {
			t.Errorf("%s: %d of what hung are reported: %+v", prompt, late, actorstest.TurnEvents[messages.Notice](turn))
		}
	}
	if !exists(t, filepath.Join(dir, "a.txt")) || !exists(t, filepath.Join(dir, "b.txt")) {
		t.Error("the calls did not run")
	}
}

// Calls of one reply take effect in order, even if hooks change them.
func TestHooksKeepTheOrderOfAReply(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(t.TempDir(), "log")
	own := hooked("tool.execute.before", "run_command", `sed 's/.*echo \([0-9]*\).*/\1/' >> `+log)(t)
	var calls []modeltest.Call
	for _, number := range []string{"1", "2", "3", "4", "5"} {
		calls = append(calls, modeltest.Call{Name: "run_command", Args: map[string]string{"command": "echo " + number + " >> out"}})
	}
	hookTree(t, dir, own, actors.Policy{Coding: true, Approval: messages.ApproveAll}, calls...).Prompt("go")
	for _, path := range []string{log, filepath.Join(dir, "out")} {
		if text, err := os.ReadFile(path); err != nil || string(text) != "1\n2\n3\n4\n5\n" {
			t.Errorf("%s: %q %v", path, text, err)
		}
	}
}

// A turn that is cancelled does not wait for a hook that hangs.
func TestACancelEndsHooks(t *testing.T) {
	for _, event := range []string{"tool.execute.before", "tool.execute.after"} {
		began := filepath.Join(t.TempDir(), "began")
		if err := syscall.Mkfifo(began, 0o600); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		tree := hookTree(t, dir, hooked(event, "", "echo 1 > "+began+"; exec sleep 600")(t), actors.Policy{Coding: true}, create("a.txt"))
		tree.Client.Send(messages.Say("go"))
		if _, err := os.ReadFile(began); err != nil { // the file appears when the hook runs
			t.Fatal(err)
		}
		tree.Client.Send(messages.Cancel{})
		if turn := tree.Finish(); turn.Ended.Outcome != messages.Cancelled {
			t.Errorf("%s: %+v", event, turn.Ended)
		}
		if exists(t, filepath.Join(dir, "a.txt")) != (event == "tool.execute.after") {
			t.Errorf("%s: what ran is not what was to run", event)
		}
	}
}
