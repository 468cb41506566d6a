package gitcmd

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Use errors.Is to test for these errors, which describe problems with a repository.
var (
	ErrNotRepository = errors.New("not inside a git repository")
	ErrNoCommits     = errors.New("there are no commits yet")
	ErrNoWorkTree    = errors.New("there is no working tree here")
	ErrLocked        = errors.New("the repository is locked")
)

// Failure is the error of a failed git command.
type Failure struct {
	Command string
	Code    int
	Text    string // git's message
}

func (f *Failure) Error() string {
	said := plainMessage(f.Text)
	if said == "" {
		return fmt.Sprintf("git %s failed without giving a reason (exit code %d)", f.Command, f.Code)
	}
	return "git " + f.Command + ": " + said
}

// plainMessage removes prefixes, hints and usage from git's message. These parts are for a user at
// the command line.
func plainMessage(said string) string {
	var kept []string
	for line := range strings.SplitSeq(strings.TrimSpace(said), "\n") {
		if strings.HasPrefix(line, "usage: ") || strings.HasPrefix(line, "Use '--' to separate paths") {
			break // the remaining lines explain how to call git
		}
		if strings.HasPrefix(line, "hint: ") {
			continue
		}
		for _, word := range []string{"fatal: ", "error: "} {
			line = strings.TrimPrefix(line, word)
		}
		if len(kept) == 0 || line != kept[len(kept)-1] {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// advice contains the next step for git messages that models do not understand. The messages are
// from setup.c, ident.c, builtin/log.c and lockfile.c in git 2.39 to 2.51.
var advice = []struct {
	said, next string
	kind       error
}{
	{
		"not a git repository", "Call set_working_dir with a directory inside a repository, or create a repository with run_command: git init",
		ErrNotRepository,
	},
	{
		"dubious ownership", "The repository belongs to another user, so git does not trust its configuration. Only the user can declare it safe, with: git config --global --add safe.directory DIRECTORY",
		nil,
	},
	{"must be run in a work tree", "The repository is bare, or this is its .git directory. git_log and git_branch still work here.", ErrNoWorkTree},
	{"does not have any commits yet", "Make the first one with git_commit.", ErrNoCommits},
	{"bad default revision 'HEAD'", "Make the first one with git_commit.", ErrNoCommits},
	{"no such ref: HEAD", "Make the first one with git_commit.", ErrNoCommits},
	{
		"Please tell me who you are", "git does not know whose commit this is. Ask the user for a name and an address, then: git config user.name \"NAME\" && git config user.email ADDRESS",
		nil,
	},
	{"Please commit your changes or stash them", "Nothing was changed. Commit first with git_commit, or ask the user what to do with the changes.", nil},
	{"gpg failed to sign the data", "Commits are signed here (commit.gpgSign), and the key cannot be unlocked without a terminal. Ask the user to unlock it, or to commit.", nil},
}

func explain(r *Repository, command string, result proc.Result) error {
	said := cmp.Or(strings.TrimSpace(result.Stderr.Text()), strings.TrimSpace(result.Stdout.Text()))
	if result.Signal != "" {
		said = strings.TrimSpace(said + "\nended by a signal: " + result.Signal)
	}
	failure := &Failure{Command: command, Code: result.ExitCode, Text: said}
	if strings.Contains(said, ".lock': File exists") {
		return r.lockedError(failure)
	}
	for _, known := range advice {
		switch {
		case !strings.Contains(said, known.said):
		case known.kind == nil:
			return tools.Advise(failure, "%s", known.next)
		case errors.Is(known.kind, ErrNotRepository):
			return tools.Advise(fmt.Errorf("%s is %w", r.Dir, known.kind), "%s", known.next)
		default:
			return tools.Advise(fmt.Errorf("git %s in %s: %w", command, filepath.Base(r.Dir), known.kind), "%s", known.next)
		}
	}
	return failure
}

func (r *Repository) lockedError(failure *Failure) error {
	return tools.Advise(fmt.Errorf("%w: %w", ErrLocked, failure),
		"Another git process is running in %s, or one crashed and left its lock. Try again in a moment. If no git process is running, ask the user whether you may remove the lock file.", r.GitDir)
}
