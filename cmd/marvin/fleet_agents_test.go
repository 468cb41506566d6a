package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

// agentsOf starts a run whose model gives tasks to the fleet, with workers that have the same
// model.
func agentsOf(t *testing.T, launch map[string]any, answer func(modeltest.Request) modeltest.Step) (*exec.Cmd, *fleetOf, func() string) {
	t.Helper()
	var mu sync.Mutex
	told := ""
	command := process(t, func(request modeltest.Request) modeltest.Step {
		switch last := request.Last(); {
		case !strings.HasPrefix(firstPrompt(request), "delegate"):
			return answer(request)
		case last.Role == messages.Tool:
			mu.Lock()
			defer mu.Unlock()
			told = last.Result.Text
			return modeltest.Text("delegated")
		}
		return modeltest.Calls(modeltest.Call{Name: "launch_agent", Args: launch})
	}, "-p", "delegate")
	server := fleettest.Start(t)
	home, _ := strings.CutPrefix(command.Env[0], "HOME=")
	state := filepath.Join(home, ".config", "marvin")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte("fleet: {url: \""+server.URL()+"\"}\nroles: {small: openai-compat/tiny}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return command, &fleetOf{t: t, server: server, batch: command}, func() string {
		mu.Lock()
		defer mu.Unlock()
		return told
	}
}

func firstPrompt(request modeltest.Request) string {
	for _, message := range request.Messages {
		if message.Role == messages.User {
			return message.Text
		}
	}
	return ""
}

// Workers answer sub-agents with "where: fleet", each task once. Their reports, costs and progress
// reach the caller.
func TestSubAgentsOnTheFleet(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	models := map[string]int{}
	command, f, told := agentsOf(t, map[string]any{"where": "fleet", "read_only": true, "tasks": []map[string]string{{"prompt": "task one"}, {"prompt": "task two", "model": "small"}}},
		func(request modeltest.Request) modeltest.Step {
			mu.Lock()
			defer mu.Unlock()
			if request.Last().Role == messages.Tool {
				return modeltest.Text("report of " + firstPrompt(request) + ": " + request.Last().Result.Text).WithFaults(modeltest.Tokens(1000, 0, 10))
			}
			models[request.Model]++
			return modeltest.Calls(modeltest.Call{Name: "create_file", Args: map[string]string{"path": "made.txt", "content": "x"}}).WithFaults(modeltest.Tokens(1000, 0, 10))
		})
	w := f.worker("--jobs", "2")
	command.Args = append(command.Args, "--output", "jsonl")
	stdout, stderr, code := ends(t, command)
	report := told()
	if code != 0 || !strings.Contains(report, "report of task one") || !strings.Contains(report, "report of task two") || !strings.Contains(report, "2 of 2 sub-agents completed their task.") {
		t.Fatalf("exit code %d, told %q\n%s\n%s", code, report, stderr, w.said())
	}
	if models["tiny"] != 1 || len(models) != 2 {
		t.Errorf("asked %v", models)
	}
	if found, _ := filepath.Glob(filepath.Join(filepath.Dir(w.Dir), "*", "made.txt")); len(found) > 0 || !strings.Contains(report, "read-only") {
		t.Errorf("it wrote %v: %q", found, report)
	}
	if !strings.Contains(stdout, `"type":"agent_changed"`) || !strings.Contains(stdout, `"rounds":1`) || strings.Count(stdout, `"state":"ended"`) != 2 {
		t.Errorf("said\n%s", stdout)
	}
	checkCostLine(t, stderr)
	if s := f.standing(t); len(s.Batches) != 0 {
		t.Errorf("left behind: %+v", s.Batches)
	}
}

// A cancelled call ends its tasks on the workers, and reports that.
func TestACancelReachesTheFleet(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 2)
	command, f, _ := agentsOf(t, map[string]any{"where": "fleet", "tasks": []map[string]string{{"prompt": "one"}, {"prompt": "two"}}},
		func(modeltest.Request) modeltest.Step {
			begun <- struct{}{}
			return modeltest.Hang()
		})
	w := f.worker("--jobs", "2")
	ended := begins(t, command, patience)
	answering(t, begun)
	answering(t, begun)
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := ended(); code != 1 {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		s := f.standing(t)
		if len(s.Workers) == 1 && s.Workers[0].Running == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("its worker continues: %+v\n%s", s, w.said())
		}
	}
}

// A task with a worktree works on a checkout of the present commit, and its change comes back as a
// patch. Without a fleet the call explains what is missing.
func TestATaskOfTheFleetBringsAPatch(t *testing.T) {
	t.Parallel()
	command, f, told := agentsOf(t, map[string]any{"where": "fleet", "worktree": true, "prompt": "make it"}, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("made it")
		}
		return modeltest.Calls(modeltest.Call{Name: "create_file", Args: `{"path":"new.txt","content":"new\n"}`})
	})
	origin := t.TempDir()
	for _, args := range [][]string{
		{"-C", origin, "init", "--quiet"},
		{"-C", origin, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "first"},
		{"clone", "--quiet", "file://" + origin, filepath.Join(command.Dir, "clone")},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	command.Dir = filepath.Join(command.Dir, "clone")
	w := f.worker("--git-from", "file://"+filepath.Dir(origin)+"/")
	_, stderr, code := ends(t, command)
	if report := told(); code != 0 || !strings.Contains(report, "made it\n\nIts change, which is not applied yet") || !strings.Contains(report, "+++ b/new.txt") {
		t.Errorf("exit code %d, told %q\n%s\n%s", code, report, stderr, w.said())
	}
	if _, err := os.Stat(filepath.Join(command.Dir, "new.txt")); err == nil {
		t.Error("it was applied here")
	}
	alone, _, told := agentsOf(t, map[string]any{"where": "fleet", "prompt": "x"}, nil)
	home, _ := strings.CutPrefix(alone.Env[0], "HOME=")
	if err := os.Remove(filepath.Join(home, ".config", "marvin", "config.yaml")); err != nil {
		t.Fatal(err)
	}
	ends(t, alone)
	if report := told(); !strings.Contains(report, "there is no fleet; the user can add one under") {
		t.Errorf("without a fleet: %q", report)
	}
}
