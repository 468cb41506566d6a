package git

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestCommitEverything(t *testing.T) {
	p := newRepository(t)
	p.write("a.txt", "changed\n")
	p.write("new.txt", "new\n")
	message := "subject: with \"quotes\" and 'more'\n\n# not a comment\n- point\n"
	encoded, _ := json.Marshal(message)
	contains(t, p.must("git_commit", `{"add_all":true,"message":`+string(encoded)+`}`), "2 files changed")
	if got := p.plain("log", "-1", "--format=%B"); strings.TrimSpace(got) != strings.TrimSpace(message) {
		t.Errorf("message arrived as %q", got)
	}
	if got := p.plain("status", "--short"); got != "" {
		t.Errorf("left over: %s", got)
	}
}

func TestNothingToCommitIsNoError(t *testing.T) {
	p := newRepository(t)
	contains(t, p.must("git_commit", `{"message":"x","add_all":true}`), "Nothing to commit, the working tree is clean")
	p.write("a.txt", "changed\n")
	contains(t, p.must("git_commit", `{"message":"x","add_all":false}`), "nothing is staged", " M a.txt")
	contains(t, p.must("git_commit", `{"message":"x","files":["a.txt"]}`), "1 file changed")
	contains(t, p.must("git_commit", `{"message":"x","files":["a.txt"]}`), "have not changed since the last commit")
	if got := p.plain("rev-list", "--count", "HEAD"); got != "2\n" {
		t.Errorf("%s commits", got)
	}
}

func TestCommitOnlyNamedFiles(t *testing.T) {
	p := newRepository(t)
	p.write("staged.txt", "the user's\n")
	p.plain("add", "staged.txt")
	p.write("b.txt", "new\n")
	if err := os.Remove(filepath.Join(p.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	contains(t, p.must("git_commit", `{"message":"x","files":["b.txt","a.txt"]}`), "2 files changed")
	if got := p.plain("status", "--short"); got != "A  staged.txt\n" {
		t.Errorf("what the user had staged is now %q", got)
	}
}

func TestCommitNeedsAMessage(t *testing.T) {
	p := newRepository(t)
	p.refused("git_commit", `{"message":" \n"}`, "message is empty")
	p.refused("git_commit", `{}`, "message is required")
}

func TestMissingIdentity(t *testing.T) {
	p := newRepository(t)
	p.env.Environ = p.env.Environ[:3]
	p.plain("config", "user.useConfigOnly", "true")
	p.write("a.txt", "changed\n")
	p.refused("git_commit", `{"message":"x","add_all":true}`, "Ask the user for a name", "git config user.email")
}

func TestHooksRunAndCanRefuse(t *testing.T) {
	p := newRepository(t)
	p.write("a.txt", "changed\n")
	p.hook("pre-commit", "echo 'tabs are forbidden' >&2; exit 1")
	p.refused("git_commit", `{"message":"x","add_all":true}`, "not committed", "tabs are forbidden", "hooks (pre-commit)")
	if got := p.plain("rev-list", "--count", "HEAD"); got != "1\n" {
		t.Errorf("a refused commit was made: %s commits", got)
	}
	p.hook("pre-commit", "git diff --cached --name-only -- '*.txt' > listed; exit 0")
	p.hook("post-commit", "exit 0")
	contains(t, p.must("git_commit", `{"message":"x","add_all":true}`), "Hooks that ran: pre-commit, post-commit")
	if listed, _ := os.ReadFile(filepath.Join(p.dir, "listed")); string(listed) != "a.txt\n" {
		t.Errorf("a hook with a pattern saw %q", listed)
	}
}

func TestHookThatAsksDoesNotHang(t *testing.T) {
	p := newRepository(t)
	p.write("a.txt", "changed\n")
	p.hook("pre-commit", "exec </dev/tty; read answer")
	p.refused("git_commit", `{"message":"x","add_all":true}`, "not committed")
}

func TestCommitsOfOneRepositoryDoNotCollide(t *testing.T) {
	p := newRepository(t)
	p.hook("pre-commit", "sleep 0.05") // long enough for the other commits to arrive
	var wait sync.WaitGroup
	failures := make(chan error, 4)
	for i := range cap(failures) {
		name := string(rune('p'+i)) + ".txt"
		p.write(name, name)
		wait.Go(func() {
			_, err := p.call("git_commit", `{"message":"`+name+`","files":["`+name+`"]}`)
			failures <- err
		})
	}
	wait.Wait()
	for range cap(failures) {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
	if got := p.plain("rev-list", "--count", "HEAD"); got != "5\n" {
		t.Errorf("%s commits", got)
	}
}

func TestCancelledCommitLeavesNoLock(t *testing.T) {
	p := newRepository(t)
	p.write("a.txt", "changed\n")
	p.hook("pre-commit", "touch hook-runs; sleep 1000")
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("the user said stop")
	ended := make(chan error, 1)
	call := p.decoded("git_commit", `{"message":"x","add_all":true}`)
	go func() {
		_, err := call.Run(ctx, p.env)
		ended <- err
	}()
	for limit := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(p.dir, "hook-runs")); err == nil {
			break
		} else if time.Now().After(limit) {
			t.Fatal("the hook does not run")
		}
	}
	cancel(stopped)
	if err := <-ended; !errors.Is(err, stopped) {
		t.Errorf("ended with %v", err)
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".git/index.lock")); err == nil {
		t.Error("index.lock was left")
	}
	if err := os.Remove(filepath.Join(p.dir, ".git/hooks/pre-commit")); err != nil {
		t.Fatal(err)
	}
	p.must("git_commit", `{"message":"again","add_all":true}`)
}

func TestCheckout(t *testing.T) {
	p := newRepository(t)
	contains(t, p.must("git_checkout", `{"target":"topic","create_branch":true}`), "Switched to a new branch 'topic'")
	p.write("a.txt", "topic\n")
	p.must("git_commit", `{"message":"topic","add_all":true}`)
	contains(t, p.must("git_checkout", `{"ref":"main"}`), "Switched to branch 'main'")
	p.write("a.txt", "edited\n")
	p.refused("git_checkout", `{"target":"topic"}`, "would be overwritten", "Nothing was changed")
	p.refused("git_checkout", `{"target":"nowhere"}`, "no branch, tag or commit", "git_branch")
	p.refused("git_checkout", `{"target":"a.txt"}`, "is a file", "ask the user")
	if content, _ := os.ReadFile(filepath.Join(p.dir, "a.txt")); string(content) != "edited\n" {
		t.Errorf("edits were thrown away: %q", content)
	}
	p.refused("git_checkout", `{"target":"bad..name","create_branch":true}`, "not a valid branch name")
	p.refused("git_checkout", `{"target":"topic","create_branch":true}`, "already exists")
}

func TestCheckoutOfARemoteBranch(t *testing.T) {
	origin, p := newRepository(t), newPlace(t)
	origin.plain("branch", "feature")
	p.plain("clone", "-q", origin.dir, ".")
	contains(t, p.must("git_checkout", `{"target":"feature"}`), "feature")
	contains(t, p.must("git_branch", `{"all":true}`), "* feature", "remotes/origin/main")
}
