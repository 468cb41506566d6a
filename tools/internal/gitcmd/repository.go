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
	Top    string // of the working tree; "" if none (bare, or inside .git)

	// Filters are the names of the content filters that reading leaves out.
	Filters []string
	// Root is the directory to which the sandbox holds what changes the repository.
	Root string
	// Consent is asked where nothing can hold the programs that the repository names. An
	// error ends the change before it begins; nil never has them run.
	Consent func(programs []Program, why error) (run bool, err error)

	env     tools.Env
	config  []configured
	reading []setting
	hooks   string // their directory, once it is settled
	hold    hold
	without []Program // with silent: what did not run
}

// configured is a key with a value, and where it comes from: system, global, local,
// worktree or command.
type configured struct{ scope, key, value string }

// configLimit limits how much configuration is checked; a longer one is refused, because a filter
// could hide in the rest.
const configLimit = 4 << 20

// Open finds the repository of a directory. The error says what is wrong and what to do; it is
// [ErrNotRepository] if none exists.
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
	top := strings.Join(lines[3:], "\n")
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil {
		return tools.Advise(fmt.Errorf("the configuration of the repository in %s moves its working tree to %s, which is not part of the repository", r.GitDir, top),
			"Look at core.worktree in %s. If the user wants that, use run_command.", filepath.Join(r.GitDir, "config"))
	}
	r.Top = top
	return nil
}

// configure reads the configuration in force, what it includes as well.
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
	for i := 0; i+1 < len(fields); i += 2 { // scope, then key and value
		key, value, _ := strings.Cut(fields[i+1], "\n")
		r.config = append(r.config, configured{scope: fields[i], key: key, value: value})
		effective = effective || fields[i] == "command" && key == "core.hookspath" && value == "/dev/null"
	}
	if !effective {
		return tools.Advise(errors.New("this git is too old: Marvin cannot stop it from running programs that a repository names"),
			"git 2.31 or newer is needed.")
	}
	return nil
}

// Read runs git to look at something and returns its output. No program that
// the configuration names is run.
func (r *Repository) Read(ctx context.Context, args ...string) (string, error) {
	result, err := r.run(ctx, r.reader(), append([]string{"--no-optional-locks"}, args...)...)
	return result.Stdout.Text(), err
}

// Stream is Read with the output going to a writer, which may end it by an error.
func (r *Repository) Stream(ctx context.Context, to io.Writer, args ...string) error {
	command := r.reader()
	command.Stdout = to
	_, err := r.run(ctx, command, append([]string{"--no-optional-locks"}, args...)...)
	return err
}

// reader is a git that looks. It can start no program at all, whatever is written into
// a configuration after it was read here.
func (r *Repository) reader() proc.Command {
	return proc.Command{Env: slices.Concat(environ(r.reading), everyEnv, readingEnv, r.pinned()), Childless: true}
}

// pinned tells git which repository it is, so that it looks for no other.
func (r *Repository) pinned() []string {
	if r.Top == "" {
		return nil
	}
	return []string{"GIT_DIR=" + r.GitDir, "GIT_WORK_TREE=" + r.Top}
}

func (r *Repository) run(ctx context.Context, command proc.Command, args ...string) (proc.Result, error) {
	command.Name, command.Args = "git", append([]string{"--no-pager"}, args...)
	command.Dir, command.Environ = r.Dir, r.env.Environ
	if command.Jail != nil || command.WholePath { // whatever is on PATH for those who are held
		path, err := proc.Find("git", command.Environ)
		if err != nil {
			return proc.Result{}, tools.Advise(err, "Ask the user to install git.")
		}
		command.Name, command.As = path, "git"
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

// subcommand is the first argument that is not an option of git itself.
func subcommand(args []string) string {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return arg
		}
	}
	return ""
}
