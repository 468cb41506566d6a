package github

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// hub returns an environment in which github.com is a directory with the repository marvin/example,
// which has two commits.
func hub(t *testing.T, gh string, programs ...string) tools.Env {
	t.Helper()
	env := machine(t, gh, append(programs, "git")...)
	far := t.TempDir()
	bare := filepath.Join(far, "marvin", "example.git")
	git(t, far, "init", "-q", "--bare", "-b", "main", bare)
	work := t.TempDir()
	git(t, work, "init", "-q", "-b", "main", ".")
	for _, text := range []string{"one\n", "two\n"} {
		write(t, filepath.Join(work, "README.md"), text)
		git(t, work, "add", ".")
		git(t, work, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", text)
	}
	git(t, work, "push", "-q", bare, "main")
	config := filepath.Join(t.TempDir(), "gitconfig")
	write(t, config, "[url \"file://"+far+"/\"]\n\tinsteadOf = https://github.com/\n")
	env.Environ = append(env.Environ, "GIT_CONFIG_GLOBAL="+config)
	return env
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.Command("git", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// left lists the content of the directory of clones.
func left(t *testing.T, env tools.Env) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(env.Home, clonesName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

func TestClone(t *testing.T) {
	for args, commits := range map[string]string{
		`{"repo":"marvin/example"}`: "1", `{"url":"https://github.com/marvin/example.git","shallow":false}`: "2", `{"owner":"marvin","repo":"example"}`: "1",
	} {
		env := hub(t, "")
		path := filepath.Join(env.Home, "github-clones", "marvin", "example")
		got, err := call(t, env, "github_clone", args)
		if err != nil || !strings.HasPrefix(got, "Cloned marvin/example to "+path+"\n") || left(t, env) != "marvin" {
			t.Fatalf("%s: %q, %v; there is %s", args, got, err, left(t, env))
		}
		if count := git(t, path, "rev-list", "--count", "HEAD"); count != commits {
			t.Errorf("%s: %s commits", args, count)
		}
		if got, err = call(t, env, "github_clone", args); err != nil || got != "marvin/example is cloned already, in "+path {
			t.Errorf("again: %q, %v", got, err)
		}
		if got, err = call(t, env, "github_read_file", `{"repo":"marvin/example","path":"README.md"}`); err != nil || got != "marvin/example: README.md (4 bytes)\n    1 | two\n" {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestTheSameCloneTwiceAtOnce(t *testing.T) {
	env := hub(t, "")
	tool := New(nil, "").Tools()[1]
	var group errgroup.Group
	for range 3 {
		group.Go(func() error {
			decoded, err := tool.Decode(json.RawMessage(`{"repo":"marvin/example"}`))
			if err == nil {
				_, err = decoded.Run(t.Context(), env)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil || left(t, env) != "marvin" {
		t.Errorf("%v; there is %s", err, left(t, env))
	}
}

func TestNothingIsLeftOfACloneThatFails(t *testing.T) {
	partial := `mkdir -p "$4"; echo x > "$4/file"; `
	for name, test := range map[string]struct{ gh, repo, want string }{
		"no such place": {"", "marvin/nothing", "cannot clone marvin/nothing"},
		"unknown to gh": {partial + `echo "GraphQL: Could not resolve to a Repository with the name 'marvin/example'." >&2; exit 1`, "marvin/example", "no public repository marvin/example"},
		"both fail":     {partial + "exit 1", "marvin/nothing", "cannot clone marvin/nothing"},
	} {
		env := hub(t, test.gh, "mkdir")
		_, err := call(t, env, "github_clone", `{"repo":"`+test.repo+`"}`)
		toolstest.CheckError(t, err, test.want)
		if there := left(t, env); there != "" {
			t.Errorf("%s: %s is left", name, there)
		}
	}
	for said, want := range map[string]string{
		"fatal: could not read Username for 'https://github.com': terminal prompts disabled": "gh auth login",
		"remote: Repository not found.":                    "github_search",
		"fatal: Could not resolve host: github.com":        "network",
		"error: RPC failed; curl 92 stream was not closed": "Try again later",
	} {
		toolstest.CheckError(t, notThere(repository{"a", "b"}, said), want)
	}
}

func TestCloneWithGH(t *testing.T) {
	gh := `printf '%s\n' "$@" > "$HOME/argv"; exec git clone -q "${@:6}" -- https://github.com/"$3".git "$4"`
	env := hub(t, gh)
	if _, err := call(t, env, "github_clone", `{"repo":"marvin/example"}`); err != nil {
		t.Fatal(err)
	}
	argv, err := os.ReadFile(filepath.Join(env.Home, "argv"))
	lines := strings.Split(strings.TrimSpace(string(argv)), "\n")
	if err != nil || len(lines) != 7 || strings.Join(lines[:3], " ") != "repo clone marvin/example" || strings.Join(lines[4:], " ") != "-- --depth 1" {
		t.Errorf("%q, %v", lines, err)
	}
	// Without a login and without SSH, git is used instead of gh.
	env = hub(t, `mkdir -p "$4/half"; echo "git@github.com: Permission denied (publickey)." >&2; exit 128`, "mkdir")
	if got, err := call(t, env, "github_clone", `{"repo":"marvin/example"}`); err != nil || !strings.HasPrefix(got, "Cloned") || left(t, env) != "marvin" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestACancelledCloneLeavesNothing(t *testing.T) {
	env := hub(t, `mkdir -p "$4"; echo working >&2; sleep 60`, "mkdir", "sleep")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("the turn was cancelled")
	env.Progress = func(string) { cancel(why) } // the clone is running
	decoded, err := New(nil, "").Tools()[1].Decode(json.RawMessage(`{"repo":"marvin/example"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = decoded.Run(ctx, env); !errors.Is(err, why) || left(t, env) != "" {
		t.Errorf("%v; %s is left", err, left(t, env))
	}
}

func TestCloneKeepsExistingFiles(t *testing.T) {
	env := hub(t, "")
	write(t, filepath.Join(env.Home, clonesName, "marvin", "example", "thesis.txt"), "mine")
	_, err := call(t, env, "github_clone", `{"repo":"marvin/example"}`)
	toolstest.CheckError(t, err, "exists and is not a clone", "Ask the user")
	for _, repo := range []string{"../x", "x/..", "https://gitlab.com/a/b"} {
		_, err := call(t, env, "github_clone", `{"repo":"`+repo+`"}`)
		toolstest.CheckError(t, err, "is not a repository on GitHub")
	}
	_, err = call(t, machine(t, ""), "github_clone", `{"repo":"a/b"}`)
	toolstest.CheckError(t, err, "program not found", "install git")
	_, err = call(t, tools.Env{}, "github_clone", `{"repo":"a/b"}`)
	toolstest.CheckError(t, err, "no home directory")
}
