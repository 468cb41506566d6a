package github

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
)

type cloneArgs struct {
	Repo    string `json:"repo" doc:"Repository, as owner/name or address" alias:"url,repository" example:"golang/example"`
	Owner   string `json:"owner" doc:"Owner, if repo does not include it" default:""`
	Shallow bool   `json:"shallow" doc:"Clone only the newest commit" default:"true"`
}

func (s Service) cloneTool() tools.Tool {
	return tools.New(tools.Def[cloneArgs]{
		Name:     "github_clone",
		Effect:   tools.Writes,
		Doc:      "Clone a GitHub repository to ~/github-clones, for github_read_file and github_grep.",
		Examples: []string{"clone {golang/example|repo} from github", "clone {https://github.com/golang/example|repo}"},
		Pool:     tools.Net, Service: "github.com", Timeout: 120 * time.Second,
		Run: clone,
	})
}

func clone(ctx context.Context, env tools.Env, in cloneArgs) (tools.Output, error) {
	repo, err := parse(in.Repo, in.Owner)
	if err != nil {
		return tools.Output{}, err
	}
	if env.Home == "" {
		return tools.Output{}, errNoHome
	}
	path := filepath.Join(env.Home, clonesName)
	if err := os.MkdirAll(path, 0o755); err != nil {
		return tools.Output{}, fmt.Errorf("create the directory for clones: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return tools.Output{}, fmt.Errorf("open the directory for clones: %w", err)
	}
	defer root.Close()
	target := filepath.Join(repo.owner, repo.name)
	if there, err := cloneExists(root, path, target); there || err != nil {
		return tools.Output{Text: fmt.Sprintf("%s is cloned already, in %s", repo, filepath.Join(path, target))}, err
	}
	// Use a temporary name, so that only a complete clone has the repository's name.
	temporary := ".cloning-" + rand.Text()
	defer func() { _ = root.RemoveAll(temporary) }()
	if err := download(ctx, env, repo, path, temporary, in.Shallow); err != nil {
		return tools.Output{}, err
	}
	if err := root.MkdirAll(repo.owner, 0o755); err != nil {
		return tools.Output{}, fmt.Errorf("make the directory of %s: %w", repo.owner, err)
	}
	if err := root.Rename(temporary, target); err != nil {
		// Another call may have created the clone first.
		if there, _ := cloneExists(root, path, target); !there {
			return tools.Output{}, fmt.Errorf("move the finished clone to its place: %w", err)
		}
	}
	return tools.Output{Text: fmt.Sprintf("Cloned %s to %s\nRead it with github_read_file and github_grep.", repo, filepath.Join(path, target))}, nil
}

// cloneExists reports whether target is a clone. It returns an error if target exists but is not a
// clone.
func cloneExists(root *os.Root, path, target string) (bool, error) {
	_, err := root.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		_, err = root.Stat(filepath.Join(target, ".git"))
	}
	if err != nil {
		return false, tools.Advise(fmt.Errorf("%s exists and is not a clone (%w)", filepath.Join(path, target), err), "Ask the user to remove it, or ask whether you may remove it.")
	}
	return true, nil
}

// download makes a clone in a directory below path, with gh if possible, otherwise with git.
func download(ctx context.Context, env tools.Env, repo repository, path, temporary string, shallow bool) error {
	destination := filepath.Join(path, temporary)
	var depth []string
	if shallow {
		depth = []string{"--depth", "1"}
	}
	gh := proc.Command{Name: "gh", Args: append([]string{"repo", "clone", repo.String(), destination, "--"}, depth...), Env: ghEnv(env)}
	said, err := run(ctx, env, gh)
	switch {
	case err == nil && said == "":
		return nil
	case err != nil && !errors.Is(err, proc.ErrNotFound):
		return err
	case strings.Contains(said, "Could not resolve to a Repository"):
		return notThere(repo, said)
	}
	// gh is missing or has failed, for example because it has no login or cannot reach the SSH
	// agent. A public repository can be cloned over HTTPS without a login.
	if err := os.RemoveAll(destination); err != nil {
		return fmt.Errorf("remove what gh left: %w", err)
	}
	address := "https://github.com/" + repo.String() + ".git"
	said, err = run(ctx, env, proc.Command{Name: "git", Args: append(append([]string{"clone"}, depth...), "--", address, destination)})
	switch {
	case errors.Is(err, proc.ErrNotFound):
		return tools.Advise(err, "Ask the user to install git, or gh from https://cli.github.com.")
	case err != nil:
		return err
	case said != "":
		return notThere(repo, said)
	}
	return nil
}

// run runs a program that clones a repository. If the program fails, message is its error message.
func run(ctx context.Context, env tools.Env, command proc.Command) (message string, err error) {
	// The program runs in "/". In ~/github-clones, git would obey the configuration of any
	// enclosing repository.
	command.Dir, command.Environ, command.Progress = "/", env.Environ, env.Progress
	command.Env = append(command.Env, "GIT_LFS_SKIP_SMUDGE=1", "LANGUAGE=en")
	// The repository chooses the addresses of its submodules, so submodules are not cloned.
	// Hooks are disabled, because they are meant for work on the user's own repositories.
	settings := [][2]string{{"submodule.recurse", "false"}, {"core.hooksPath", "/dev/null"}, {"core.fsmonitor", "false"}}
	command.Env = append(command.Env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(settings)))
	for i, setting := range settings {
		command.Env = append(command.Env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, setting[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, setting[1]))
	}
	result, err := proc.Run(ctx, command)
	if err != nil {
		return "", fmt.Errorf("clone with %s: %w", command.Name, err)
	}
	if result.ExitCode == 0 {
		return "", nil
	}
	return show.Line(result.Stderr.Text(), 400) + fmt.Sprintf(" (exit code %d)", result.ExitCode), nil
}

func notThere(repo repository, said string) error {
	lower := strings.ToLower(said)
	switch {
	case strings.Contains(lower, "could not resolve host"), strings.Contains(lower, "failed to connect"), strings.Contains(lower, "timed out"):
		return tools.Advise(fmt.Errorf("GitHub cannot be reached: %s", said), "Check the network connection, or try again later.")
	case strings.Contains(lower, "not found"), strings.Contains(lower, "could not read username"), strings.Contains(lower, "could not resolve to a repository"):
		return tools.Advise(fmt.Errorf("there is no public repository %s: %s", repo, said), "Find its name with github_search. A private one needs a login: gh auth login.")
	}
	return tools.Advise(fmt.Errorf("cannot clone %s: %s", repo, said), "Nothing was left behind. Try again later, or without \"shallow\".")
}
