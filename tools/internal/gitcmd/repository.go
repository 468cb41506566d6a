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

// Repository is the repository that a directory lies in.
type Repository struct {
	Dir    string // where git runs
	GitDir string // of this working tree
	Common string // shared by all working trees of the repository
	Top    string // of the working tree; "" if there is none (bare, or inside of .git)

	// Filters are the names of the content filters that reading leaves out.
	Filters []string

	outside []string // Marvin's environment
	reading []setting
}

// configLimit bounds how much configuration is looked through; what is longer is
// refused, because a filter could hide in what is not seen.
const configLimit = 4 << 20

// Open finds the repository of a directory. The error says in words what is wrong
// and what can be done; it is [ErrNotRepository] if there is none.
func Open(ctx context.Context, dir string, environment []string) (*Repository, error) {
	repository := &Repository{Dir: dir, outside: environment, reading: slices.Concat(always, whileReading)}
	if err := repository.locate(ctx); err != nil {
		return nil, err
	}
	keys, err := repository.configuredKeys(ctx)
	if err != nil {
		return nil, err
	}
	silenced, filters := silence(keys)
	repository.reading = append(repository.reading, silenced...)
	repository.Filters = filters
	return repository, nil
}

func (r *Repository) locate(ctx context.Context) error {
	out, err := r.Read(ctx, "rev-parse", "--path-format=absolute",
		"--is-inside-work-tree", "--git-dir", "--git-common-dir", "--show-toplevel")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	// Without a working tree the last question fails, after the others are answered.
	if len(lines) < 3 || lines[0] != "true" && lines[0] != "false" {
		if err == nil {
			err = fmt.Errorf("git rev-parse gave an unknown answer: %q", out)
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
	r.Top = strings.Join(lines[3:], "\n")
	if _, err := os.Lstat(filepath.Join(r.Top, ".git")); err != nil {
		return tools.Advise(fmt.Errorf("the configuration of the repository in %s moves its working tree to %s, which does not belong to it", r.GitDir, r.Top),
			"Look at core.worktree in %s. If the user wants it so, use run_command.", filepath.Join(r.GitDir, "config"))
	}
	return nil
}

// configuredKeys lists every key of the configuration in force.
func (r *Repository) configuredKeys(ctx context.Context) ([]string, error) {
	result, err := r.run(ctx, proc.Command{Limit: configLimit, Env: r.readEnv()}, "config", "--list", "-z", "--show-scope")
	if err != nil {
		return nil, err
	}
	if result.Stdout.Dropped() > 0 {
		return nil, fmt.Errorf("the git configuration is larger than %d bytes; it is not looked at", configLimit)
	}
	var keys []string
	effective := false
	fields := strings.Split(string(result.Stdout.Bytes), "\x00")
	for i := 0; i+1 < len(fields); i += 2 { // scope, then key and value
		key, value, _ := strings.Cut(fields[i+1], "\n")
		keys = append(keys, key)
		effective = effective || fields[i] == "command" && key == "core.hookspath" && value == "/dev/null"
	}
	if !effective {
		return nil, tools.Advise(errors.New("this git is too old: it cannot be kept from running programs that a repository names"),
			"git 2.31 or newer is needed.")
	}
	return keys, nil
}

// Read runs git to look at something and returns its output. No program that
// the configuration names is run.
func (r *Repository) Read(ctx context.Context, args ...string) (string, error) {
	result, err := r.run(ctx, proc.Command{Env: r.readEnv()}, append([]string{"--no-optional-locks"}, args...)...)
	return result.Stdout.Text(), err
}

// Stream is Read with the output going to a writer, which may end it by an error.
func (r *Repository) Stream(ctx context.Context, to io.Writer, args ...string) error {
	_, err := r.run(ctx, proc.Command{Env: r.readEnv(), Stdout: to}, append([]string{"--no-optional-locks"}, args...)...)
	return err
}

// Write runs git to change something, with the hooks and filters that there are.
// The output is what git and they said, stdout before stderr, also on failure.
func (r *Repository) Write(ctx context.Context, stdin string, args ...string) (string, error) {
	result, err := r.run(ctx, proc.Command{Env: append(environ(always), everyEnv...), Stdin: stdin}, args...)
	return result.Stdout.Text() + result.Stderr.Text(), err
}

func (r *Repository) readEnv() []string {
	return slices.Concat(environ(r.reading), everyEnv, readingEnv)
}

func (r *Repository) run(ctx context.Context, command proc.Command, args ...string) (proc.Result, error) {
	command.Name, command.Args = "git", append([]string{"--no-pager"}, args...)
	command.Dir, command.Environ = r.Dir, r.outside
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

// subcommand is the first argument that is not an option of git itself.
func subcommand(args []string) string {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return arg
		}
	}
	return ""
}
