package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Repository is a git repository, as seen from one of its directories.
type Repository struct {
	Dir    string // the directory in which git runs
	GitDir string // the git directory of this working tree
	Common string // the git directory that all working trees of the repository share
	Top    string // the top of the working tree; "" in a bare repository or inside .git

	// Filters contains the names of all configured content filters. Read and Stream disable them.
	Filters []string
	// Root is the directory in which the sandbox lets git's programs write.
	Root string
	// Consent asks the user whether the repository's programs may run although nothing can confine
	// them. If Consent returns an error, nothing is changed. If Consent is nil, the programs do not
	// run.
	Consent func(programs []Program, why error) (run bool, err error)

	env     tools.Env
	config  []configured
	reading []setting
	hooks   string // the hooks directory; set by Settle
	hold    hold
	without []Program // the programs that do not run; set by Settle
}

// configured is one setting. Its scope is "system", "global", "local", "worktree" or "command".
type configured struct{ scope, key, value string }

// configLimit is the maximum size of a configuration, in bytes. A longer configuration is an error,
// because a filter could hide in the rest.
const configLimit = 4 << 20

// Open finds the repository that contains dir. If no repository contains dir, the error wraps
// [ErrNotRepository].
func Open(ctx context.Context, env tools.Env, dir string) (*Repository, error) {
	if err := env.CheckRepository(); err != nil {
		return nil, err
	}
	repository := &Repository{Dir: dir, Root: env.HeldTo(), env: env, reading: slices.Concat(always, whileReading)}
	if err := repository.locate(ctx); err != nil {
		return nil, err
	}
	if err := repository.configure(ctx); err != nil {
		return nil, err
	}
	silenced, filters := silence(repository.config)
	repository.reading = append(repository.reading, silenced...)
	repository.Filters = filters
	return repository, nil
}

func (r *Repository) locate(ctx context.Context) error {
	out, err := r.Read(ctx, "rev-parse", "--path-format=absolute",
		"--is-inside-work-tree", "--git-dir", "--git-common-dir", "--show-toplevel")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	// If there is no working tree, git fails at the last query, after it has answered the others.
	if len(lines) < 3 || lines[0] != "true" && lines[0] != "false" {
		if err == nil {
			err = fmt.Errorf("git rev-parse gave an unexpected answer: %q", out)
		}
		return err
	}
	r.GitDir, r.Common = lines[1], lines[2]
	if lines[0] == "false" {
		return nil
	}
	if err != nil {
		return err
	}
	top := strings.Join(lines[3:], "\n")
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil {
		return tools.Advise(fmt.Errorf("the configuration in %s sets the working tree to %s, which is not part of the repository", r.GitDir, top),
			"Look at core.worktree in %s. If the user wants this working tree, use run_command.", filepath.Join(r.GitDir, "config"))
	}
	r.Top = top
	return nil
}

// configure appends git's effective configuration to r.config.
func (r *Repository) configure(ctx context.Context) error {
	command := r.reader()
	command.Limit = configLimit
	result, err := r.run(ctx, command, "config", "--list", "-z", "--show-scope")
	if err != nil {
		return err
	}
	if result.Stdout.Dropped() > 0 {
		return fmt.Errorf("the git configuration is larger than %d bytes, the limit", configLimit)
	}
	effective := false
	fields := strings.Split(string(result.Stdout.Bytes), "\x00")
	for i := 0; i+1 < len(fields); i += 2 { // a scope, then a key with its value
		key, value, _ := strings.Cut(fields[i+1], "\n")
		r.config = append(r.config, configured{scope: fields[i], key: key, value: value})
		effective = effective || fields[i] == "command" && key == "core.hookspath" && value == "/dev/null"
	}
	if !effective {
		return tools.Advise(errors.New("the installed git is too old, so Marvin cannot stop it from running programs that a repository specifies"),
			"Ask the user to install git 2.31 or newer.")
	}
	return nil
}

// Read returns the output of a read-only git command. Git runs no program that is set in the
// configuration.
func (r *Repository) Read(ctx context.Context, args ...string) (string, error) {
	result, err := r.run(ctx, r.reader(), append([]string{"--no-optional-locks"}, args...)...)
	return result.Stdout.Text(), err
}

// Stream is like Read, but sends the output to a writer. If the writer returns an error, git is
// stopped.
func (r *Repository) Stream(ctx context.Context, to io.Writer, args ...string) error {
	command := r.reader()
	command.Stdout = to
	_, err := r.run(ctx, command, append([]string{"--no-optional-locks"}, args...)...)
	return err
}

// reader returns a read-only git command without arguments. On Linux, git cannot start programs,
// even if the configuration has changed since Open.
func (r *Repository) reader() proc.Command {
	return proc.Command{Env: slices.Concat(environ(r.reading), everyEnv, readingEnv, r.pinned()), Childless: true}
}

// pinned returns GIT_DIR and GIT_WORK_TREE, which keep git from searching for the repository.
// Without a working tree, pinned returns nil.
func (r *Repository) pinned() []string {
	if r.Top == "" {
		return nil
	}
	return []string{"GIT_DIR=" + r.GitDir, "GIT_WORK_TREE=" + r.Top}
}

func (r *Repository) run(ctx context.Context, command proc.Command, args ...string) (proc.Result, error) {
	command.Name, command.Args = "git", append([]string{"--no-pager"}, args...)
	command.Dir, command.Environ = r.Dir, r.env.Environ
	// For these commands, proc.Run accepts a git that the project can write to. proc.Find does not.
	if command.Jail != nil || command.WholePath {
		path, err := proc.Find("git", command.Environ)
		if err != nil {
			return proc.Result{}, tools.Advise(err, "Ask the user to install git.")
		}
		command.Name, command.Argv0 = path, "git"
	}
	result, err := proc.Run(ctx, command)
	switch {
	case errors.Is(err, proc.ErrNotFound):
		return result, tools.Advise(err, "Ask the user to install git.")
	case err != nil:
		return result, fmt.Errorf("git %s: %w", subcommand(args), err)
	case result.ExitCode != 0:
		return result, explain(r, subcommand(args), result)
	}
	return result, nil
}

// subcommand returns the first argument that is not an option of git itself.
func subcommand(args []string) string {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return arg
		}
	}
	return ""
}
