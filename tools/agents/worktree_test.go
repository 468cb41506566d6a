package agents_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/tools"
)

func TestWorktreeErrors(t *testing.T) {
	for says, change := range map[string]func(*tools.Env){
		"not allowed: this run is read-only (MARVIN_READONLY=1), and making a worktree counts as a change\nTo look around, launch the agent without \"worktree\".": func(env *tools.Env) { env.ReadOnly = true },
		"while the user wants a plan: making a worktree counts as a change\nTo look around, launch the agent without \"worktree\".":                                func(env *tools.Env) { env.Approval = messages.ApprovePlan },
		"there is no home directory to keep a worktree in; launch without \"worktree\"":                                                                            func(env *tools.Env) { env.Home = "" },
		"make the directory for worktrees: ": func(env *tools.Env) {
			if err := os.WriteFile(filepath.Join(env.Home, ".cache"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"a worktree needs a commit to start from, but there is none: ": func(env *tools.Env) {
			env.Dir = t.TempDir()
			git(t, *env, "init", "--quiet")
		},
	} {
		env := repository(t)
		change(&env)
		text, tasks, err := launch(t, env, `{"prompt":"a","worktree":true}`, completed("done"))
		if err == nil || !strings.Contains(err.Error(), says) || tasks != nil {
			t.Errorf("%q, %v, launched %v; want %s", text, err, tasks, says)
		}
		if env.Home != "" && exists(filepath.Join(env.Home, ".cache/marvin/worktrees")) && !strings.Contains(says, "needs a commit to start from") {
			t.Errorf("%s: a place for it was made", says)
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Work that cannot be put away stays where it is, and it is said where.
func TestWorkThatCannotBePutAwayIsNamed(t *testing.T) {
	for failing, says := range map[string]string{
		"status": "removing the worktree failed: ", "add --all": "removing the worktree failed: ", "commit": "removing the worktree failed: ", "diff --shortstat": "removing the worktree failed: ", "worktree remove": "could not be removed: ", "branch --quiet -D": "nothing was changed; its branch ",
	} {
		env := repository(t)
		real, bin := strings.TrimPrefix(env.Environ[0], "PATH="), t.TempDir()
		broken := filepath.Join(bin, "broken")
		script := "#!/bin/sh\nif [ -e " + broken + " ]; then case \" $* \" in *' " + failing + " '*) echo 'fatal: broken on purpose' >&2; exit 128 ;; esac; fi\nPATH='" + real + "' exec git \"$@\"\n"
		if err := disktest.WriteProgram(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		env.Environ[0] = "PATH=" + bin + ":" + real
		text, tasks, err := launch(t, env, `{"prompt":"a","worktree":true}`, func(task tools.Task) tools.Report {
			if failing != "branch --quiet -D" { // which goes where nothing was changed
				if err := os.WriteFile(filepath.Join(task.Dir, "b.txt"), []byte("b\n"), 0o644); err != nil {
					t.Error(err)
				}
			}
			if err := os.WriteFile(broken, nil, 0o644); err != nil {
				t.Error(err)
			}
			return tools.Report{Outcome: messages.Completed}
		})
		if err != nil || !strings.Contains(text, says) || !strings.Contains(text, "broken on purpose") {
			t.Errorf("%s: %q, %v", failing, text, err)
		}
		stays := failing != "branch --quiet -D"
		if tree := tasks[0].Dir; strings.Contains(text, tree) != stays || exists(tree) != stays {
			t.Errorf("%s: the worktree %s is there: %v: %q", failing, tree, exists(tree), text)
		}
	}
}
