package agents_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/agents"
	"marvin/tools/shell"
)

// ticket plays the tickets of a project: t-1 is free, t-2 waits for t-1.
func ticket(_ tools.Env, id string) (string, []string, error) {
	switch id {
	case "t-1":
		return "# Parse dates", nil, nil
	case "t-2":
		return "# Show dates", []string{"t-1"}, nil
	}
	return "", nil, fmt.Errorf("there is no ticket %s", id)
}

// launch decodes and runs a call; work stands for the sub-agents.
func launch(t *testing.T, env tools.Env, args string, work func(tools.Task) tools.Report) (string, []tools.Task, error) {
	t.Helper()
	var seen []tools.Task
	if env.Agents == nil && work != nil {
		env.Agents = func(_ context.Context, _ int, tasks []tools.Task) []tools.Report {
			seen = tasks
			reports := make([]tools.Report, len(tasks))
			for i, task := range tasks {
				reports[i] = work(task)
			}
			return reports
		}
	}
	call, err := agents.New(ticket, nil).Tools()[0].Decode(json.RawMessage(args))
	if err != nil {
		return "", nil, err
	}
	output, err := call.Run(t.Context(), env)
	return output.Text, seen, err
}

func completed(text string) func(tools.Task) tools.Report {
	return func(tools.Task) tools.Report { return tools.Report{Outcome: messages.Completed, Text: text} }
}

func TestOneTaskGivesItsReport(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := tools.Env{Dir: dir, Conversation: tools.Conversation{Provider: "openai"}}
	text, tasks, err := launch(t, env, `{"prompt":"find callers","working_dir":"sub","tools":["code_grep"],"read_only":true,"tdd":true,"design_first":true,"ticket_id":"t-1"}`,
		func(tools.Task) tools.Report {
			return tools.Report{Outcome: messages.Completed, Text: "three callers\n", Rounds: 2, Usage: messages.Usage{Cost: 0.02}, Took: 1500 * time.Millisecond}
		})
	if err != nil || text != "three callers\n[completed; 2 rounds of tools; $0.0200; 1.5s]" {
		t.Errorf("%q, %v", text, err)
	}
	task := tasks[0]
	if task.Dir != filepath.Join(dir, "sub") || task.Own || !task.ReadOnly || len(task.Tools) != 1 || task.Name != "find callers" || task.Brought != "its ticket" || task.Model != "" {
		t.Errorf("task %+v", task)
	}
	for _, part := range []string{"find callers", "# Parse dates", "design", "test first"} {
		if !strings.Contains(task.Prompt, part) {
			t.Errorf("the prompt lacks %q:\n%s", part, task.Prompt)
		}
	}
}

func TestManyTasksReportInOrderWithTheirFailures(t *testing.T) {
	text, tasks, err := launch(t, tools.Env{Dir: "/p"}, `{"tasks":[{"prompt":"a","name":"first"},{"prompt":"b","model":"m2","read_only":true},{"prompt":"c"}],"model":"m1"}`,
		func(task tools.Task) tools.Report {
			if task.Prompt == "b" {
				return tools.Report{Outcome: messages.Failed, Text: "half", Err: "the model is gone"}
			}
			return tools.Report{Outcome: messages.Completed, Text: "did " + task.Prompt}
		})
	want := "## 1. first\ndid a\n[completed]\n\n## 2. b\nhalf\n[failed: the model is gone]\n\n## 3. c\ndid c\n[completed]\n\n2 of 3 sub-agents completed their task."
	if err != nil || text != want {
		t.Errorf("%q, %v", text, err)
	}
	if tasks[0].Model != "m1" || tasks[1].Model != "m2" || !tasks[1].ReadOnly || tasks[2].ReadOnly {
		t.Errorf("tasks %+v", tasks)
	}
}

func TestTiersAreThoseOfTheEnvironment(t *testing.T) {
	tiers := []string{"MARVIN_CODE_MODEL_LOW=small", "MARVIN_CODE_MODEL_HIGH=large"}
	for _, test := range []struct {
		provider, wish, want string
		environ              []string
	}{
		{"openai", "auto", "", nil},
		{"openai", "auto", "small", tiers},
		{"openai", "auto", "large", tiers[1:]},
		{"openai", "codex", "small", tiers},
		{"openai", "opus", "large", tiers},
		{"openai", "opus", "", nil},
		{"copilot", "opus", "claude-opus-4.6", nil},
		{"copilot", "codex", "gpt-5.3-codex", nil},
		{"copilot", "gpt-9", "gpt-9", tiers},
	} {
		_, tasks, err := launch(t, tools.Env{Conversation: tools.Conversation{Provider: test.provider}, Environ: test.environ}, fmt.Sprintf(`{"prompt":"x","model":%q}`, test.wish), completed("done"))
		if err != nil || tasks[0].Model != test.want {
			t.Errorf("%+v: %+v, %v", test, tasks, err)
		}
	}
}

func TestLaunchErrors(t *testing.T) {
	for name, test := range map[string]struct {
		env  tools.Env
		args string
		says string
	}{
		"no task":          {tools.Env{}, `{}`, "there is no task"},
		"both":             {tools.Env{}, `{"prompt":"a","tasks":[{"prompt":"b"}]}`, "not both"},
		"an empty prompt":  {tools.Env{}, `{"tasks":[{"prompt":"a"},{"prompt":" "}]}`, "task 2: its prompt is empty"},
		"a missing prompt": {tools.Env{}, `{"tasks":[{"name":"a"}]}`, "prompt"},
		"a blocked ticket": {tools.Env{}, `{"prompt":"a","ticket_id":"t-2"}`, "waits for t-1"},
		"no such ticket":   {tools.Env{}, `{"prompt":"a","ticket_id":"t-9"}`, "no ticket t-9"},
		"a sub-agent":      {tools.Env{Conversation: tools.Conversation{Agent: true}}, `{"prompt":"a"}`, "MARVIN_DEPTH"},
		"depth 1":          {tools.Env{Environ: []string{"MARVIN_DEPTH=1"}}, `{"prompt":"a"}`, "MARVIN_DEPTH"},
		"no repository":    {tools.Env{Dir: t.TempDir(), Home: t.TempDir()}, `{"prompt":"a","worktree":true}`, "repository"},
		"not from a shell": {tools.Env{Conversation: tools.Conversation{Agents: nil}}, `{"prompt":"a"}`, "sub-agents"},
	} {
		work := completed("done")
		if name == "not from a shell" {
			work = nil
		}
		text, tasks, err := launch(t, test.env, test.args, work)
		if err == nil || !strings.Contains(err.Error(), test.says) || tasks != nil {
			t.Errorf("%s: %q, %v, launched %v", name, text, err, tasks)
		}
	}
}

// repository is a real one with a commit.
func repository(t *testing.T) tools.Env {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	env := tools.Env{Dir: t.TempDir(), Home: t.TempDir(), Environ: []string{
		"PATH=" + os.Getenv("PATH"), "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c",
	}}
	if err := os.WriteFile(filepath.Join(env.Dir, "a.txt"), []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, env, "init", "--quiet", "-b", "main")
	git(t, env, "add", ".")
	git(t, env, "commit", "--quiet", "-m", "begin")
	return env
}

func git(t *testing.T, env tools.Env, args ...string) string {
	t.Helper()
	command := exec.Command("git", args...)
	command.Dir, command.Env = env.Dir, env.Environ
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestAWorktreeKeepsTheWorkOnABranch(t *testing.T) {
	env := repository(t)
	text, tasks, err := launch(t, env, `{"worktree":true,"tasks":[{"prompt":"write b"},{"prompt":"write nothing"}]}`, func(task tools.Task) tools.Report {
		if task.Prompt == "write b" {
			if err := os.WriteFile(filepath.Join(task.Dir, "b.txt"), []byte("b\n"), 0o644); err != nil {
				t.Error(err)
			}
		}
		return tools.Report{Outcome: messages.Completed}
	})
	if err != nil || tasks[0].Dir == env.Dir || tasks[0].Dir == tasks[1].Dir {
		t.Fatalf("%v, %+v", err, tasks)
	}
	branches := strings.Fields(git(t, env, "branch", "--list", "marvin/*", "--format=%(refname:short)"))
	if len(branches) != 1 || !strings.Contains(text, "branch "+branches[0]+" (1 file changed, 1 insertion(+))") || !strings.Contains(text, "nothing was changed") {
		t.Errorf("branches %v; %s", branches, text)
	}
	if got := git(t, env, "show", branches[0]+":b.txt"); got != "b" {
		t.Errorf("b.txt on the branch is %q", got)
	}
	if status := git(t, env, "status", "--porcelain"); status != "" {
		t.Errorf("the caller's directory has %q", status)
	}
	if left := git(t, env, "worktree", "list"); strings.Count(left, "\n") != 0 {
		t.Errorf("worktrees left:\n%s", left)
	}
}

func TestACancelledTaskIsNoSuccess(t *testing.T) {
	env := repository(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	env.Agents = func(_ context.Context, _ int, tasks []tools.Task) []tools.Report {
		if err := os.WriteFile(filepath.Join(tasks[0].Dir, "half.txt"), nil, 0o644); err != nil {
			t.Error(err)
		}
		cancel(stopped)
		return []tools.Report{{Outcome: messages.Cancelled}}
	}
	call, err := agents.New(ticket, nil).Tools()[0].Decode(json.RawMessage(`{"prompt":"a","worktree":true}`))
	if err != nil {
		t.Fatal(err)
	}
	output, err := call.Run(ctx, env)
	if !errors.Is(err, stopped) || !strings.Contains(output.Text, "[cancelled; branch marvin/") || strings.Contains(git(t, env, "worktree", "list"), "\n") {
		t.Errorf("%q, %v", output.Text, err)
	}
}

func TestAWorktreeIsFilledInTheJail(t *testing.T) {
	for _, held := range []bool{false, true} {
		env := repository(t)
		mark := filepath.Join(t.TempDir(), "mark")
		script := "#!/bin/sh\ntouch " + mark + "\ncat\n"
		for name, content := range map[string]string{".git/hooks/post-checkout": script, ".git/info/attributes": "* filter=x\n", "evil.sh": script} {
			if err := disktest.WriteProgram(filepath.Join(env.Dir, name), []byte(content), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		git(t, env, "config", "filter.x.smudge", filepath.Join(env.Dir, "evil.sh"))
		git(t, env, "config", "filter.x.clean", filepath.Join(env.Dir, "evil.sh"))
		env.Root = env.Dir
		if held {
			env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Home: env.Home, Environ: env.Environ})
			defer func() { _ = env.Sandbox.Close() }()
			if err := shell.Try(t.Context(), env); errors.Is(err, tools.ErrUnconfined) {
				t.Skip(err)
			}
		}
		text, _, err := launch(t, env, `{"worktree":true,"prompt":"write b"}`, func(task tools.Task) tools.Report {
			if content, err := os.ReadFile(filepath.Join(task.Dir, "a.txt")); string(content) != "a\n" {
				t.Errorf("held %v: a.txt is %q, %v", held, content, err)
			}
			if err := os.WriteFile(filepath.Join(task.Dir, "b.txt"), []byte("b\n"), 0o644); err != nil {
				t.Error(err)
			}
			return tools.Report{Outcome: messages.Completed}
		})
		if err != nil || !strings.Contains(text, "1 file changed") {
			t.Errorf("held %v: %s, %v", held, text, err)
		}
		if _, err := os.Stat(mark); (err == nil) == held {
			t.Errorf("held %v: the mark: %v", held, err)
		}
	}
}

func TestWithoutAConversationItSaysSo(t *testing.T) {
	for want, env := range map[string]tools.Env{
		"sub-agents need a conversation":          {},
		"sub-agents cannot launch sub-agents":     {Conversation: tools.Conversation{Compact: func() {}}},
		"cannot launch sub-agents (MARVIN_DEPTH)": {Environ: []string{"MARVIN_DEPTH=1"}},
	} {
		if _, _, err := launch(t, env, `{"prompt":"find callers"}`, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
