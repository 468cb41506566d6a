package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail"
)

// ErrRepositoryMoved means that git would no longer use the same repository as at the start of the
// conversation.
var ErrRepositoryMoved = gitdir.ErrMoved

// CheckRepository checks each directory to which calls can be confined. If git would use another
// repository there, and a confined command could be the cause, the error wraps
// [ErrRepositoryMoved]. If the sandbox is off, CheckRepository returns nil.
func (e Env) CheckRepository() error {
	if e.Sandbox.Mode() == SandboxOff {
		return nil
	}
	e.Sandbox.LookAgain()
	for _, root := range e.heldPlaces() {
		if err := unsafe(root, e.Sandbox.Repositories().Check(root)); err != nil {
			return err
		}
	}
	return nil
}

func unsafe(root string, err error) error {
	if err == nil {
		return nil
	}
	return Advise(err, "Tell the user: do not run git in %s outside the sandbox, not even \"git status\", until that is corrected. Until then, Marvin's git tools do not run.", root)
}

// runWatched runs a call and adds warnings to its output. The warnings concern changes to git
// repositories, and to files that make other programs run commands.
func (e Env) runWatched(tool Tool, run func() (Output, error)) (Output, error) {
	if e.Sandbox.Mode() == SandboxOff || tool.Access == Free && tool.Effect == Reads {
		return run()
	}
	programs := tool.Pool.runsPrograms() && tool.Effect > Reads
	places := e.heldPlaces()
	settings := make([]jail.Settings, len(places))
	for i, root := range places {
		e.Sandbox.Repositories().Begin(root)
		if programs {
			settings[i] = jail.SettingsOf(root)
		}
	}
	output, err := run()
	for i, root := range places {
		if !programs {
			break
		}
		if changed := jail.SettingsOf(root).Changed(settings[i], root); len(changed) > 0 {
			said := fmt.Sprintf("In this project, %s changed files that make other programs run commands: %s. Check them before you commit or open the project in an editor, a shell or another agent.", tool.Name, Visible(strings.Join(changed, ", ")))
			output.alarm("%s", said)
			output.Text += "\n[WARNING: " + said + " Tell the user.]\n"
		}
	}
	type news struct {
		fresh bool
		moved error
	}
	found := make([]news, len(places)) // collected before PutRight restores the files
	for i, root := range places {
		found[i].fresh, found[i].moved = e.Sandbox.Repositories().News(root)
	}
	if righted := PutRight(e.Sandbox); righted != "" {
		output.alarm("%s", righted)
		output.Text += "\n[WARNING: " + righted + " Tell the user.]\n"
	}
	for i, root := range places {
		e.report(tool, root, found[i].fresh, found[i].moved, err, &output)
	}
	return output, err
}

// report adds a warning to the call's output if git would now use a different repository in the
// given directory, or if a rebase that is in progress in this directory would run new commands. If
// the call failed with [ErrRepositoryMoved], report does not repeat an earlier warning.
func (e Env) report(tool Tool, root string, fresh bool, moved, failed error, output *Output) {
	switch {
	case moved != nil && (fresh || !errors.Is(failed, ErrRepositoryMoved)):
		if fresh {
			output.alarm("After %[2]s, %[1]s. Do not run git there outside the sandbox, not even \"git status\", until that is corrected.", moved, tool.Name)
		}
		output.Text += "\n[WARNING: " + unsafe(root, moved).Error() + "]\n"
	case moved == nil:
		if execs := e.Sandbox.Repositories().NewExecs(root); len(execs) > 0 {
			said := fmt.Sprintf("After %s, continuing the rebase in %s would run these commands: %s. Check the commands first, or continue the rebase only in the sandbox (the model's run_command).", tool.Name, Visible(root), Visible(strings.Join(execs, "; ")))
			output.alarm("%s", said)
			output.Text += "\n[WARNING: " + said + "]\n"
		}
	}
}

// PutRight returns a message about the git files that Marvin repaired since the last call of
// PutRight, or "" if there are none.
func PutRight(sandbox *Sandbox) string {
	found := sandbox.PutRight()
	if found == "" {
		return ""
	}
	return "A command in the sandbox changed files that control your own git: " + Visible(found) + ". Marvin restored these files; what the command wrote is stored next to them, as *.held-by-marvin."
}

func (o *Output) alarm(format string, args ...any) {
	if o.Alarm != "" {
		o.Alarm += "\n"
	}
	o.Alarm += fmt.Sprintf(format, args...)
}

// Project returns the root of the repository that contains dir. Outside a repository, it returns
// dir.
func Project(dir string) string {
	if entry := gitdir.Discover(dir).Entry; entry != "" {
		return filepath.Dir(entry)
	}
	return dir
}

// Branch returns the git branch that is checked out in a directory, or "" if there is none.
func Branch(dir string) string {
	if dir == "" {
		return ""
	}
	head := filepath.Join(gitdir.Discover(dir).Dir, "HEAD")
	if info, err := os.Stat(head); err != nil || !info.Mode().IsRegular() || info.Size() > 4<<10 {
		return "" // reading a pipe would block
	}
	text, err := os.ReadFile(head)
	if err != nil {
		return ""
	}
	branch, _ := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: refs/heads/")
	if branch == strings.TrimSpace(string(text)) {
		return "" // the file contains a commit hash, or git did not write the file
	}
	return branch
}
