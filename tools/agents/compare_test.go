package agents_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
)

// Each agent has a worktree, the user's command judges each by its exit code, and the work of all of
// them stays on branches.
func TestAgentsAreComparedByTheUsersCommand(t *testing.T) {
	env := repository(t)
	env.Typed = `compare them, judged by grep -q right b.txt || { echo "b is wrong" | tee trash; exit 3; }`
	text, tasks, err := launch(t, env, `{"prompt":"write b","compare":["marvin","marvin:m2"],"judge":"grep -q right b.txt || { echo \"b is wrong\" | tee trash; exit 3; }"}`, func(task tools.Task) tools.Report {
		content := "right\n"
		if task.Model == "m2" {
			content = "wrong\n"
		}
		if err := os.WriteFile(filepath.Join(task.Dir, "b.txt"), []byte(content), 0o600); err != nil {
			t.Error(err)
		}
		return tools.Report{Outcome: messages.Completed, Text: "I am sure that it is right", Unpriced: task.Model == "m2", Rounds: 1}
	})
	if err != nil || len(tasks) != 2 || tasks[0].Dir == tasks[1].Dir || exists(tasks[0].Dir) || exists(filepath.Join(env.Dir, "b.txt")) {
		t.Fatalf("%v %+v", err, tasks)
	}
	for _, want := range []string{
		"| agent | result | judged | rounds | cost | time | work |", "| marvin | completed | passed | 1 | $0.0000 | 0s | branch marvin/", "| marvin:m2 | completed | failed with exit code 3: b is wrong | 1 | unknown | 0s | branch marvin/",
		"1 of 2 agents passed: marvin.", "## 1. marvin\nI am sure",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, branch := range strings.Fields(git(t, env, "branch", "--list", "marvin/*", "--format=%(refname:short)")) {
		if made := git(t, env, "ls-tree", "--name-only", branch); made != "a.txt\nb.txt" { // and nothing of the command
			t.Errorf("%s has %q", branch, made)
		}
	}
}

func TestAComparisonThatCannotBeSaysWhy(t *testing.T) {
	for args, says := range map[string]string{
		`{"compare":["marvin","marvin:m"]}`:                                      "\"compare\" works with one task only",
		`{"prompt":"a","compare":["marvin"]}`:                                    "takes 2 to 8 agents, not 1",
		`{"prompt":"a","compare":["marvin","marvin"]}`:                           `"marvin", is empty or used twice`,
		`{"prompt":"a","compare":["marvin","marvin:m"],"read_only":true}`:        "on its own branch",
		`{"prompt":"a","compare":["marvin","nobody"]}`:                           "nobody",
		`{"prompt":"a","judge":"true"}`:                                          "\"judge\" works only with \"compare\"",
		`{"prompt":"a","compare":["marvin","marvin:m"],"judge":"rm -rf ~"}`:      "that the user typed in this turn",
		`{"tasks":[{"prompt":"a"}],"prompt":"","compare":["marvin","marvin:m"]}`: "\"compare\" works with one task only",
		`{"prompt":"a","compare":["marvin","marvin:m"],"where":"fleet"}`:         "on its own branch",
	} {
		env := repository(t)
		env.Definition = func(name string) (tools.AgentKind, error) {
			return tools.AgentKind{}, fmt.Errorf("there is no kind %s", name)
		}
		text, tasks, err := launch(t, env, args, completed("done"))
		if err == nil || tasks != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v; want %s", args, text, err, says)
		}
	}
}
