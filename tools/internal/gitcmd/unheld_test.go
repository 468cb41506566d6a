package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/tools"
)

func TestRepositoryProgramsRunUnsandboxed(t *testing.T) {
	dir, env := project(t, "mkdir h", "git config core.hooksPath h", "printf '#!/bin/sh\necho checked >&2\n' > h/pre-commit", "chmod 755 h/pre-commit", "echo 1 > f", "git add f")
	repository, err := Open(t.Context(), env, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := repository.Hooks("pre-commit"); got != nil || repository.Held() {
		t.Errorf("before it is settled there are %q", got)
	}
	said, err := repository.Write(t.Context(), "the message\n", "commit", "-F", "-")
	if err != nil || !strings.HasSuffix(said, "checked\n") || !strings.Contains(said, "the message") {
		t.Errorf("%q, %v", said, err)
	}
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "h", "post-commit"), 0o755), os.WriteFile(filepath.Join(dir, "h", "commit-msg"), []byte("#!/bin/sh\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if got := repository.Hooks("pre-commit", "commit-msg", "post-commit", "none"); !slices.Equal(got, []string{"pre-commit"}) || repository.Held() || len(repository.Disabled()) != 0 {
		t.Errorf("hooks %q, held %v, without %v", got, repository.Held(), repository.Disabled())
	}
	if err := disktest.WriteProgram(filepath.Join(dir, "h", "pre-commit"), []byte("#!/bin/sh\necho no >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "h", "post-commit")), os.Remove(filepath.Join(dir, "h", "commit-msg"))); err != nil {
		t.Fatal(err)
	}
	failure := &Failure{}
	if said, err := repository.Write(t.Context(), "", "commit", "--allow-empty", "-m", "x"); said != "no\n" || !errors.As(err, &failure) || failure.Code != 1 || err.Error() != "git commit: no" {
		t.Errorf("%q, %v", said, err)
	}
	if err := repository.Tend(t.Context(), "branch", "other"); err != nil {
		t.Error(err)
	}
	if err := repository.Tend(t.Context(), "branch", "other"); err == nil || err.Error() != "git branch: a branch named 'other' already exists" {
		t.Errorf("%v", err)
	}
	var out bytes.Buffer
	if err := repository.Stream(t.Context(), &out, "branch", "--format=%(refname)"); err != nil || out.String() != "refs/heads/main\nrefs/heads/other\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := repository.Stream(t.Context(), &out, "log", "none"); err == nil {
		t.Error("a failure is lost")
	}
	if err := os.WriteFile(repository.Lock(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := repository.Write(t.Context(), "", "add", "f"); !errors.Is(err, ErrLocked) {
		t.Errorf("%v", err)
	}
	gone, stop := context.WithCancelCause(t.Context())
	stop(errors.New("nobody waits"))
	if err := repository.AwaitLock(gone, time.Now); err == nil || err.Error() != "waiting for "+repository.Lock()+": nobody waits" {
		t.Errorf("%v", err)
	}
	info, err := os.Stat(repository.Lock())
	if err != nil {
		t.Fatal(err)
	}
	for later, want := range map[time.Duration]time.Duration{time.Hour: time.Hour, 0: time.Millisecond, -time.Hour: time.Millisecond} {
		if got := repository.LockAge(info.ModTime().Add(later)); got != want {
			t.Errorf("%s later it is %s old", later, got)
		}
	}
	if err := os.Remove(repository.Lock()); err != nil || repository.LockAge(time.Now()) != 0 || repository.AwaitLock(gone, time.Now) != nil {
		t.Errorf("a lock that is gone is there: %v", err)
	}
}

func TestRepositoryProgramsNeedConsentWithoutSandbox(t *testing.T) {
	dir, env := project(t, "printf '#!/bin/sh\necho ran\n' > .git/hooks/pre-commit", "chmod 755 .git/hooks/pre-commit", "printf x > .git/hooks/update.sample", "chmod 755 .git/hooks/update.sample",
		"git config filter.up.clean 'tr a-z A-Z'", "git config filter.unused.clean x", "echo '*.up filter=up' > .gitattributes", "echo a > a.up", "git config gpg.program /bin/false", "git config hook.lint.command 'make lint'")
	env.Sandbox, env.Root = tools.NewSandbox(tools.SandboxConfig{}), ""
	no := errors.New("they said no")
	for _, row := range []struct {
		what    string
		consent func([]Program, error) (bool, error)
		runs    bool
		err     error
	}{
		{"nobody is asked", nil, false, nil},
		{"they disagree", func([]Program, error) (bool, error) { return false, nil }, false, nil},
		{"they agree", func([]Program, error) (bool, error) { return true, nil }, true, nil},
		{"they end it", func([]Program, error) (bool, error) { return true, no }, false, no},
	} {
		repository, err := Open(t.Context(), env, dir)
		if err != nil {
			t.Fatal(err)
		}
		var asked []Program
		var why error
		if row.consent != nil {
			repository.Consent = func(programs []Program, reason error) (bool, error) {
				asked, why = programs, reason
				return row.consent(programs, reason)
			}
		}
		said, err := repository.Write(t.Context(), "", "commit", "--allow-empty", "-m", "x")
		if !errors.Is(err, row.err) || strings.Contains(said, "ran") != row.runs {
			t.Errorf("%s: %q, %v", row.what, said, err)
		}
		programs := asked
		if row.consent == nil {
			programs = repository.without
		} else if !tools.NoSandbox(why) {
			t.Errorf("%s: they are told %v", row.what, why)
		}
		var names []string
		for _, one := range programs {
			names = append(names, strings.ReplaceAll(fmt.Sprintf("%s %s %s %.4s", one.Kind, one.Name, one.What, one.Hash), dir, "DIR"))
		}
		const want = "hook pre-commit DIR/.git/hooks/pre-commit e236|hook lint make lint 5b81|filter up tr a-z A-Z b124|signature gpg /bin/false d5ab"
		if got := strings.Join(names, "|"); got != want {
			t.Errorf("%s: %s", row.what, got)
		}
		if left := len(repository.Disabled()); (left == 4) != (row.err == nil && !row.runs) || repository.Held() {
			t.Errorf("%s: %d did not run, held %v", row.what, left, repository.Held())
		}
		if hooks := repository.Hooks("pre-commit"); (len(hooks) == 1) != (row.runs || row.err != nil) {
			t.Errorf("%s: hooks %q", row.what, hooks)
		}
		if row.err != nil {
			repository.Consent = nil
			if err := repository.Settle(t.Context()); err != nil || len(repository.Disabled()) != 4 {
				t.Errorf("%s: asked again: %v, without %v", row.what, err, repository.Disabled())
			}
		}
	}
	programs := []Program{{"hook", "a", "/b", "0123456789abcdef"}, {"filter", "c", "d", "e"}}
	if got := programs[0].String(); got != "hook a: /b (sha256 0123456789ab)" {
		t.Error(got)
	}
	if Digest(programs) == Digest(programs[:1]) || Digest(nil) == Digest(programs[:1]) || len(Digest(nil)) != 64 || Digest(programs) != Digest(slices.Clone(programs)) {
		t.Errorf("%s", Digest(programs))
	}
	plain, env := project(t)
	env.Sandbox, env.Root = tools.NewSandbox(tools.SandboxConfig{}), ""
	repository, err := Open(t.Context(), env, plain)
	if err != nil {
		t.Fatal(err)
	}
	repository.Consent = func([]Program, error) (bool, error) { t.Error("no question was asked"); return false, nil }
	if err := repository.Settle(t.Context()); err != nil || len(repository.Disabled()) != 0 {
		t.Errorf("a repository that names nothing: %v", err)
	}
}

func TestTheWallsOfAGit(t *testing.T) {
	dir, env := project(t, "mkdir sub", "printf '#!/bin/sh\necho x > ../outside-of-it || exit 1\n' > .git/hooks/pre-commit", "chmod 755 .git/hooks/pre-commit")
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Home: t.TempDir(), State: t.TempDir()})
	t.Cleanup(func() { _ = env.Sandbox.Close() })
	repository, err := Open(t.Context(), env, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := repository.Settle(t.Context()); err != nil || !repository.Held() {
		t.Skip("nothing holds a git here:", err)
	}
	const walls = "Git and its hooks and filters run in the sandbox. If one of them needs more permissions, tell the user: they can run the same command themselves by typing ! before it, or start Marvin with --sandbox off."
	if said, err := repository.Write(t.Context(), "", "commit", "--allow-empty", "-m", "x"); err == nil || !strings.Contains(said, "Read-only file system") && !strings.Contains(said, "Permission denied") || !strings.HasSuffix(err.Error(), walls) {
		t.Errorf("%q, %v", said, err)
	}
	if got := repository.Hooks("pre-commit"); len(got) != 1 {
		t.Errorf("hooks %q", got)
	}
	plain, signed := errors.New("git x: no"), &Failure{Command: "commit", Text: "no"}
	for _, row := range []struct {
		what, top, said string
		err             error
		says            string
	}{
		{"another failure", dir, "no", plain, "git x: no"},
		{"a signature", dir, "error: gpg\nfatal: failed to write commit object", signed, "git commit: no\nCommits are signed here (commit.gpgSign), and the sandbox hides the gpg-agent or ssh-agent that has the key. Tell the user: commit with \"! git commit -m MESSAGE\", or start Marvin with --sandbox off. If they agree to a commit without a signature: run_command: git commit --no-gpg-sign -m MESSAGE"},
		{"a signature of another error", dir, "failed to write commit object", plain, "git x: no"},
		{"below the root", filepath.Join(dir, "sub"), "Permission denied", plain, "git x: no\n"},
		{"another repository", filepath.Dir(dir), "insufficient permission", plain, "git x: no\nThe sandbox allows writing only in " + dir + ", where this conversation began, but the repository is in " + filepath.Dir(dir) + ". Tell the user to go there (/cd " + filepath.Dir(dir) + ", or --working-dir), or to start Marvin with --sandbox off."},
		{"no working tree", "", "Read-only file system", plain, "git x: no\n"},
	} {
		repository.Top = row.top
		got := repository.addSandboxAdvice(row.err, "", row.said).Error()
		if ends := strings.HasSuffix(row.says, "\n"); !ends && got != row.says || ends && (!strings.HasPrefix(got, row.says) || !strings.HasSuffix(got, walls)) {
			t.Errorf("%s: %s", row.what, got)
		}
	}
	for _, row := range []struct {
		path, dir string
		want      bool
	}{{dir, dir, true}, {dir + "/sub", dir, true}, {dir + "x", dir, false}, {filepath.Dir(dir), dir, false}, {dir, "/", true}, {"/none/x", "/none", true}} {
		if isBelow(row.path, row.dir) != row.want {
			t.Errorf("%s is below %s: %v", row.path, row.dir, !row.want)
		}
	}
}
