package tools

import (
	"errors"
	"fmt"

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
	return Advise(err, "Tell the user, and nothing else first: until that is right again, no git may be run in %s outside the sandbox, not even git status. Marvin's own git tools refuse to.", e.Root)
}

// watching runs a call and looks afterwards whether it changed what git finds. It takes
// some lstat before, the first time, and as many after.
func (e Env) watching(tool Tool, run func() (Output, error)) (Output, error) {
	if e.Sandbox.Mode() == SandboxOff || tool.Access == Free && tool.Effect == Reads {
		return run()
	}
	_ = e.Sandbox.Repositories().Check(e.Root) // it is remembered
	output, err := run()
	fresh, moved := e.Sandbox.Repositories().News(e.Root)
	if moved == nil || errors.Is(err, ErrRepositoryMoved) && !fresh {
		return output, err
	}
	if fresh {
		output.Alarm = fmt.Sprintf("%s after %s. Run no git there outside the sandbox, not even git status, until it is right again.", moved, tool.Name)
	}
	output.Text += "\n[WARNING: " + e.unsafe(moved).Error() + "]\n"
	return output, err
}
