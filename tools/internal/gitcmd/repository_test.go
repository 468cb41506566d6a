package gitcmd

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/tools"
)

// project returns a directory with a repository, and the environment of a git in it.
func project(t *testing.T, lines ...string) (dir string, env tools.Env) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env = tools.Env{Root: dir, Dir: dir, Home: dir, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}}
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxOff})
	script := "git init -q -b main . && git config user.name A && git config user.email a@b.c\n" + strings.Join(lines, "\n")
	command := exec.Command("sh", "-ec", script)
	command.Dir, command.Env, command.WaitDelay = dir, env.Environ, time.Second
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return dir, env
}

func TestRepositoryFromEachDirectory(t *testing.T) {
	dir, env := project(t, "mkdir -p sub/deep", "git config filter.lfs.clean x", "git config hook.lint.command y", "git init -q --bare bare", "git commit -q --allow-empty -m one", "git worktree add -q tree 2>/dev/null",
		"git init -q outer/moved && git -C outer/moved config core.worktree ../..", "printf '[include' > broken && git init -q bad && cp broken bad/.git/config")
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, want := range map[string]string{
		".": ".git .git .", "sub/deep": ".git .git .", "tree": ".git/worktrees/tree .git tree", "bare": "bare bare ", ".git": ".git .git ",
		"outer/moved": "the configuration in DIR/outer/moved/.git sets the working tree to DIR/outer, which is not part of the repository\nLook at core.worktree in DIR/outer/moved/.git/config. If the user wants this working tree, use run_command.",
		"bad":         "git rev-parse: bad config line ",
	} {
		repository, err := Open(t.Context(), env, in(name))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			short := func(path string) string {
				if path == "" {
					return ""
				}
				return strings.TrimPrefix(strings.TrimPrefix(path+"/", dir+"/"), "/")
			}
			for i, path := range []string{repository.GitDir, repository.Common, repository.Top} {
				if i > 0 {
					got += " "
				}
				one := strings.TrimSuffix(short(path), "/")
				if path == dir {
					one = "."
				}
				got += one
			}
			if repository.Dir != in(name) || repository.Root != dir || name == "." && !slices.Equal(repository.Filters, []string{"lfs"}) {
				t.Errorf("%s: %+v", name, repository)
			}
			if pinned := repository.pinned(); (len(pinned) == 2) != (repository.Top != "") || len(pinned) == 2 && !slices.Equal(pinned, []string{"GIT_DIR=" + repository.GitDir, "GIT_WORK_TREE=" + repository.Top}) {
				t.Errorf("%s: git is told %q", name, pinned)
			}
		}
		want = strings.ReplaceAll(want, "DIR", dir)
		if got != want && !(name == "bad" && strings.HasPrefix(got, want)) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if _, err := Open(t.Context(), env, filepath.Dir(t.TempDir())); !errors.Is(err, ErrNotRepository) {
		t.Errorf("outside of one: %v", err)
	}
	env.Environ = []string{"PATH=" + t.TempDir()}
	if _, err := Open(t.Context(), env, dir); err == nil || !strings.HasSuffix(err.Error(), "\nAsk the user to install git.") {
		t.Errorf("without git: %v", err)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Open(gone, tools.Env{Environ: os.Environ(), Held: env.Held}, dir); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "git rev-parse: ") {
		t.Errorf("when nobody waits: %v", err)
	}
}

func TestAGitThatAnswersOddly(t *testing.T) {
	dir, env := project(t)
	bin := t.TempDir()
	const place = `case "$*" in *rev-parse*) printf 'true\n%s/.git\n%s/.git\n%s\n' "$PWD" "$PWD" "$PWD";; `
	for what, row := range map[string]struct{ script, says string }{
		"nothing":              {"exit 0", `git rev-parse gave an unexpected answer: ""`},
		"something else":       {"printf 'maybe\\na\\nb\\n'", `git rev-parse gave an unexpected answer: "maybe\na\nb\n"`},
		"a failure":            {"echo 'fatal: no' >&2; exit 3", "git rev-parse: no"},
		"a failure at the end": {"printf 'true\\na\\nb\\n'; echo 'fatal: late' >&2; exit 3", "git rev-parse: late"},
		"a signal":             {"kill -9 $$", "git rev-parse: ended by a signal: killed"},
		"no configuration":     {place + "*) echo 'fatal: broken' >&2; exit 4;; esac", "git config: broken"},
		"an old one":           {place + "*) printf 'global\\0core.hookspath\\n/dev/null\\0command\\0core.hookspath\\n/other\\0command\\0core.pager\\n/dev/null\\0';; esac", "the installed git is too old, so Marvin cannot stop it from running programs that a repository specifies\nAsk the user to install git 2.31 or newer."},
		"too much":             {place + "*) printf '%05000000d' 1;; esac", "the git configuration is larger than 4194304 bytes, the limit"},
		"a whole one":          {place + "*) printf 'local\\0a.b\\nc\\nd\\0command\\0core.hookspath\\n/dev/null\\0';; esac", ""},
	} {
		if err := disktest.WriteProgram(filepath.Join(bin, "git"), []byte("#!/bin/sh\n"+row.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		env.Environ = []string{"PATH=" + bin}
		repository, err := Open(t.Context(), env, dir)
		if (err == nil) != (row.says == "") || err != nil && err.Error() != row.says {
			t.Errorf("%s: %v", what, err)
		}
		if err == nil && (repository.value("a.B") != "c\nd" || repository.value("core.hookspath") != "" || repository.value("none") != "") {
			t.Errorf("%s: %+v", what, repository.config)
		}
	}
	for want, args := range map[string][]string{"status": {"--no-pager", "-c", "status", "x"}, "": {"--version"}} {
		if got := subcommand(args); got != want {
			t.Errorf("%q: %s", args, got)
		}
	}
}
