package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// hold determines how a repository's programs run when git changes something.
type hold uint8

const (
	unsettled hold = iota
	held           // the programs run in the sandbox, like the model's commands
	free           // the programs run unconfined, because the sandbox is off or the user agreed
	silent         // the programs do not run
)

// Settle decides whether and how the repository's programs run. Call it before the first change,
// because the user can refuse. If the user must be asked, the error wraps [tools.ErrUnconfined].
func (r *Repository) Settle(ctx context.Context) error {
	if r.hold != unsettled {
		return nil
	}
	if r.env.Sandbox.Mode() == tools.SandboxOff {
		r.hold = free
		return r.findHooks(ctx, proc.Command{Childless: true})
	}
	cell, err := r.env.JailAlways(r.Root)
	if err == nil {
		r.hold = held
		err = r.findHooks(ctx, proc.Command{Jail: cell}) // running git here tests the jail
	}
	if err == nil || !errors.Is(err, jail.ErrMissing) && !errors.Is(err, jail.ErrPlace) {
		return err
	}
	r.hold = silent
	if err := r.findHooks(ctx, proc.Command{Childless: true}); err != nil {
		return err
	}
	return r.ask(ctx, err)
}

// ask requests the user's permission to run the repository's programs unconfined.
func (r *Repository) ask(ctx context.Context, why error) error {
	programs, err := r.programs(ctx)
	if err != nil || len(programs) == 0 {
		return err
	}
	if r.Consent != nil {
		run, err := r.Consent(programs, why)
		if err != nil {
			r.hold = unsettled
			return err
		}
		if run {
			r.hold = free
			return nil
		}
	}
	r.without = programs
	return nil
}

// Write calls [Repository.Settle], then runs a git command that changes something. It returns
// stdout followed by stderr, including the output of hooks and filters, even if git fails.
func (r *Repository) Write(ctx context.Context, stdin string, args ...string) (string, error) {
	if err := r.Settle(ctx); err != nil {
		return "", err
	}
	command := proc.Command{Env: append(environ(always), everyEnv...), Stdin: stdin}
	switch r.hold {
	case held:
		cell, err := r.env.JailAlways(r.Root)
		if err != nil {
			return "", err
		}
		command.Jail = cell
	case free:
		command.WholePath = true
	default:
		command.Env = r.silentEnv()
	}
	result, err := r.run(ctx, command, args...)
	said := result.Stdout.Text() + result.Stderr.Text()
	if err != nil && r.hold == held {
		err = r.addSandboxAdvice(err, command.Jail.Note(result.ExitCode, said), said)
	}
	return said, err
}

// Tend runs a git command that changes git's own data, such as branches or the list of working
// trees. Programs named by the repository do not run. git runs unconfined, because the sandbox
// protects the very files that git changes.
func (r *Repository) Tend(ctx context.Context, args ...string) error {
	_, err := r.run(ctx, proc.Command{Env: r.silentEnv()}, args...)
	return err
}

func (r *Repository) silentEnv() []string {
	settings := slices.DeleteFunc(slices.Clone(r.reading), func(each setting) bool { return each.key == "gpg.program" })
	if r.signsByProject() {
		settings = append(settings, setting{"commit.gpgSign", "false"}, setting{"gpg.program", "false"})
	}
	return slices.Concat(environ(settings), everyEnv, readingEnv, r.pinned())
}

// addSandboxAdvice adds advice to err if the sandbox is a possible cause.
func (r *Repository) addSandboxAdvice(err error, note, said string) error {
	var failure *Failure
	switch {
	case strings.Contains(said, "failed to write commit object") && errors.As(err, &failure):
		return tools.Advise(failure, "Commits are signed here (commit.gpgSign), and the sandbox hides the gpg-agent or ssh-agent that has the key. Tell the user: commit with \"! git commit -m MESSAGE\", or start Marvin with --sandbox off. If they agree to a commit without a signature: run_command: git commit --no-gpg-sign -m MESSAGE")
	case !strings.Contains(said, "Read-only file system") && !strings.Contains(said, "Permission denied") && !strings.Contains(said, "insufficient permission"):
		return err
	case r.Top != "" && !isBelow(r.Top, r.Root):
		return tools.Advise(err, "The sandbox allows writing only in %s, where this conversation began, but the repository is in %s. Tell the user to go there (/cd %[2]s, or --working-dir), or to start Marvin with --sandbox off.", r.Root, r.Top)
	}
	return tools.Advise(err, "%sGit and its hooks and filters run in the sandbox. If one of them needs more permissions, tell the user: they can run the same command themselves by typing ! before it, or start Marvin with --sandbox off.", note)
}

// findHooks stores the hooks directory in r.hooks. The command does not get the whileReading
// settings, because they override core.hooksPath.
func (r *Repository) findHooks(ctx context.Context, command proc.Command) error {
	command.Env = slices.Concat(environ(always), everyEnv, r.pinned())
	result, err := r.run(ctx, command, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return fmt.Errorf("find the hooks: %w", err)
	}
	r.hooks = strings.TrimSuffix(string(result.Stdout.Bytes), "\n")
	return nil
}
