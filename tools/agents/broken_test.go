package agents_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// Whichever call of git fails around a task in a worktree, it is said, and work is where it says.
func TestTaskGitFailuresAreReported(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	var out strings.Builder
	origin := repository(t)
	for _, changes := range []bool{true, false} {
		for number, most := 0, 1; number <= most; number++ {
			if !changes && number == 1 {
				number = 12 // those before are the same
			}
			env, bin := origin, t.TempDir()
			env.Home, env.Environ = t.TempDir(), slices.Clone(origin.Environ)
			log := filepath.Join(bin, "log")
			script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >> %[1]s\nn=0\nwhile read -r line; do n=$((n+1)); done < %[1]s\n"+
				"if [ $n -eq %[2]d ]; then echo 'fatal: broken on purpose' >&2; exit 128; fi\nexec %[3]s \"$@\"\n", log, number, real)
			if err := disktest.WriteProgram(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			env.Environ[0] = "PATH=" + bin + ":" + strings.TrimPrefix(env.Environ[0], "PATH=")
			text, tasks, err := launch(t, env, `{"prompt":"a","worktree":true}`, func(task tools.Task) tools.Report {
				if !changes {
					return tools.Report{Outcome: messages.Completed}
				}
				return tools.Report{Outcome: messages.Completed, Text: fmt.Sprint(os.WriteFile(filepath.Join(task.Dir, "b.txt"), []byte("b\n"), 0o644))}
			})
			made, failed := os.ReadFile(log)
			if failed != nil {
				t.Fatal(failed)
			}
			calls := strings.Split(strings.TrimSpace(string(made)), "\n")
			said := text
			if err != nil {
				said = "! " + err.Error()
			}
			if number == 0 {
				if most = len(calls); err != nil || strings.Contains(said, "broken") {
					t.Fatalf("%s, %v", said, err)
				}
			} else if !strings.Contains(said, "broken on purpose") {
				t.Errorf("of %q it says %q", calls[number-1], said)
			}
			trees, err := filepath.Glob(filepath.Join(env.Home, ".cache/marvin/worktrees/*"))
			if err != nil {
				t.Fatal(err)
			}
			said = strings.ReplaceAll(strings.ReplaceAll(said, env.Home, "HOME"), filepath.Base(env.Dir), "DIR")
			fmt.Fprintf(&out, "changes %t, call %d: %d launched, %d worktrees stay: %s\n", changes, number, len(tasks), len(trees), regexp.MustCompile(`(marvin/|DIR-)[a-z0-9]{8}\b`).ReplaceAllString(said, "${1}NAME"))
			toolstest.NothingOpen(t, env.Dir, fmt.Sprint("call ", number))
		}
	}
	goldentest.Assert(t, "broken.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
