package gitcmd

import (
	"errors"
	"strings"
	"testing"

	"marvin/tools/internal/proc"
)

func TestPlainGitErrors(t *testing.T) {
	for said, want := range map[string]string{
		"fatal: no such path 'x' in HEAD": "git blame: no such path 'x' in HEAD",
		"fatal: ambiguous argument 'x': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'": "git blame: ambiguous argument 'x': unknown revision or path not in the working tree.",
		"error: a\nhint: do this\nerror: a\nerror: b": "git blame: a\nb",
		"usage: git blame [<options>]\n   -x":         "git blame failed without giving a reason (exit code 129)",
		"":                                            "git blame failed without giving a reason (exit code 129)",
	} {
		if got := (&Failure{Command: "blame", Code: 129, Text: said}).Error(); got != want {
			t.Errorf("%q is told as %q, not %q", said, got, want)
		}
	}
}

func TestGitErrors(t *testing.T) {
	repository := &Repository{Dir: "/work/project", GitDir: "/work/project/.git"}
	for said, row := range map[string]struct {
		is   error
		says []string
	}{
		"fatal: Unable to create '/work/project/.git/index.lock': File exists.\n\nAnother git process seems to be running": {ErrLocked, []string{"/work/project/.git, or one crashed", "ask the user"}},
		"fatal: not a git repository (or any of the parent directories): .git":                                             {ErrNotRepository, []string{"/work/project is ", "git init"}},
		"fatal: this operation must be run in a work tree":                                                                 {ErrNoWorkTree, []string{"git status in project: ", "git_log and git_branch still work"}},
		"fatal: your current branch 'main' does not have any commits yet":                                                  {ErrNoCommits, []string{"git_commit"}},
		"fatal: detected dubious ownership in repository at '/work/project'":                                               {nil, []string{"git status: ", "Only the user can declare it safe"}},
		"error: something new": {nil, []string{"git status: something new"}},
		"":                     {nil, []string{"git status failed without giving a reason (exit code 128)"}},
	} {
		var result proc.Result
		result.ExitCode = 128
		result.Stderr = proc.Output{Bytes: []byte(said), Total: int64(len(said))}
		err := explain(repository, "status", result)
		for _, want := range row.says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v does not say %q", said, err, want)
			}
		}
		for _, kind := range []error{ErrLocked, ErrNotRepository, ErrNoWorkTree, ErrNoCommits} {
			if errors.Is(err, kind) != (kind == row.is) {
				t.Errorf("%q: %v is %v", said, err, kind)
			}
		}
	}
}
