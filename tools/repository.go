package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/gitdir"
)

// ErrRepositoryMoved means that git would use another repository in the working directory
// than it did when the conversation began to work there.
var ErrRepositoryMoved = gitdir.ErrMoved

// CheckRepository says that git would use another repository in the directory to which
// the sandbox holds than it did at first. Without a sandbox, which the user wants so,
// nobody looks.
func (e Env) CheckRepository() error {
	if e.Sandbox.Mode() == SandboxOff {
		return nil
	}
	return e.unsafe(e.Sandbox.Repositories().Check(e.Root))
}

func (e Env) unsafe(err error) error {
	if err == nil {
		return nil
	}
	return Advise(err, "Tell the user: before anything else, and until that is right again, no git may be run in %s outside the sandbox, not even git status. Marvin's own git tools refuse to.", e.Root)
}

// watching runs a call and looks afterwards whether it changed what git finds. It takes
// some lstat before, the first time, and as many after.
func (e Env) watching(tool Tool, run func() (Output, error)) (Output, error) {
	if e.Sandbox.Mode() == SandboxOff || tool.Access == Free && tool.Effect == Reads {
		return run()
	}
	pins := e.Sandbox.Repositories()
	pins.Begin(e.Root)
	output, err := run()
	fresh, moved := pins.News(e.Root)
	switch {
	case moved != nil && (fresh || !errors.Is(err, ErrRepositoryMoved)):
		if fresh {
			output.Alarm = fmt.Sprintf("%s after %s. Run no git there outside the sandbox, not even git status, until it is right again.", moved, tool.Name)
		}
		output.Text += "\n[WARNING: " + e.unsafe(moved).Error() + "]\n"
	case moved == nil:
		if execs := pins.NewExecs(e.Root); len(execs) > 0 {
			output.Alarm = fmt.Sprintf("After %s the rebase in progress in %s runs commands when it goes on: %s. Let it go on in the sandbox only (the model's run_command), or look at them first.", tool.Name, Visible(e.Root), Visible(strings.Join(execs, "; ")))
			output.Text += "\n[WARNING: " + output.Alarm + "]\n"
		}
	}
	return output, err
}

// Project is the directory of the repository that a directory is in, else the directory
// itself.
func Project(dir string) string {
	if entry := gitdir.Discover(dir).Entry; entry != "" {
		return filepath.Dir(entry)
	}
	return dir
}

// Branch is the branch of git that a directory is on, "" if it is on none.
func Branch(dir string) string {
	if dir == "" {
		return ""
	}
	head := filepath.Join(gitdir.Discover(dir).Dir, "HEAD")
	if info, err := os.Stat(head); err != nil || !info.Mode().IsRegular() || info.Size() > 4<<10 {
		return "" // a pipe would be waited for
	}
	text, err := os.ReadFile(head)
	if err != nil {
		return ""
	}
	branch, _ := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: refs/heads/")
	if branch == strings.TrimSpace(string(text)) {
		return "" // a commit, or nothing that git wrote
	}
	return branch
}
