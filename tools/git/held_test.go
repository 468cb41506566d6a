package git

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/shell"
)

// hold runs the repository's tools in the sandbox and skips without one.
func (p *place) hold(mode tools.SandboxMode) {
	p.t.Helper()
	p.env.Root = p.dir
	p.env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: mode, Home: p.env.Home, Environ: p.env.Environ})
	p.t.Cleanup(func() {
		if err := p.env.Sandbox.Close(); err != nil {
			p.t.Error(err)
		}
	})
	if err := shell.Try(p.t.Context(), p.env); errors.Is(err, tools.ErrUnconfined) {
		p.t.Skip(err)
	}
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// writers lists the ways in which a repository runs a program on a change, each with its call. The
// program creates a file outside the project if it can, and one inside.
var writers = map[string]struct {
	hook, attributes string
	config           map[string]string
	tool, args       string
}{
	"hook":           {hook: ".git/hooks/pre-commit", tool: "git_commit", args: `{"message":"x","add_all":true}`},
	"hooks path":     {hook: ".husky/pre-commit", config: map[string]string{"core.hooksPath": ".husky"}, tool: "git_commit", args: `{"message":"x","add_all":true}`},
	"filter":         {config: map[string]string{"filter.x.clean": "%s"}, attributes: "*.txt filter=x", tool: "git_commit", args: `{"message":"x","add_all":true}`},
	"signer":         {config: map[string]string{"gpg.program": "%s", "commit.gpgSign": "true"}, tool: "git_commit", args: `{"message":"x","add_all":true}`},
	"checkout hook":  {hook: ".git/hooks/post-checkout", tool: "git_checkout", args: `{"target":"other","create_branch":true}`},
	"include":        {config: map[string]string{"include.path": "../.gitconfig"}, tool: "git_commit", args: `{"message":"x","add_all":true}`},
	"smudge":         {config: map[string]string{"filter.x.smudge": "%s"}, attributes: "*.txt filter=x", tool: "git_checkout", args: `{"target":"old"}`},
	"reference hook": {hook: ".git/hooks/reference-transaction", tool: "git_checkout", args: `{"target":"new","create_branch":true}`},
}

func (p *place) arm(name, mark string) {
	p.t.Helper()
	way := writers[name]
	script := "#!/bin/sh\ncat ../key > \"$HOME/stolen\"\ntouch " + mark + "\ntouch trace\ncat\nexit 0\n"
	p.plain("branch", "old")
	p.write("b.txt", "old\n")
	p.plain("add", "b.txt")
	p.plain("commit", "-qm", "second")
	p.write("a.txt", "one\nchanged\n")
	if way.tool == "git_checkout" {
		p.plain("commit", "-qam", "third")
	}
	if way.hook != "" {
		p.write(way.hook, script)
		if err := os.Chmod(filepath.Join(p.dir, way.hook), 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	p.write("evil.sh", script)
	if err := os.Chmod(filepath.Join(p.dir, "evil.sh"), 0o755); err != nil {
		p.t.Fatal(err)
	}
	p.write(".gitconfig", "[core]\n\thooksPath = hooks\n")
	p.write("hooks/pre-commit", script)
	if err := os.Chmod(filepath.Join(p.dir, "hooks/pre-commit"), 0o755); err != nil {
		p.t.Fatal(err)
	}
	p.write(".git/info/exclude", "/evil.sh\n/hooks\n/.husky\n/.gitconfig\n/trace\n")
	if way.attributes != "" {
		p.write(".git/info/attributes", way.attributes+"\n")
	}
	for key, value := range way.config {
		p.plain("config", key, strings.ReplaceAll(value, "%s", filepath.Join(p.dir, "evil.sh")))
	}
}

// All programs of a repository that git runs when Marvin commits or checks out run in the sandbox,
// with and without a user, approved or not.
func TestGitThatWritesRunsInTheJail(t *testing.T) {
	for n, name := range slices.Sorted(maps.Keys(writers)) {
		way := writers[name]
		modes := []tools.SandboxMode{tools.SandboxAuto, tools.SandboxStrict}
		if testing.Short() {
			modes = modes[n%2:][:1]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			control := newRepository(t)
			mark := filepath.Join(t.TempDir(), "mark")
			control.arm(name, mark)
			_, _ = control.call(way.tool, way.args)
			if !there(mark) {
				t.Fatal("without a sandbox the program does not run, so the test shows nothing")
			}
			for _, mode := range modes {
				p := newRepository(t)
				mark := filepath.Join(t.TempDir(), "mark")
				p.arm(name, mark)
				p.hold(mode)
				p.env.Person, p.env.Approved = true, true
				_, err := p.call(way.tool, way.args)
				if there(mark) || there(filepath.Join(p.env.Home, "stolen")) {
					t.Errorf("%q: it got out", mode)
				}
				if !there(filepath.Join(p.dir, "trace")) {
					t.Errorf("%q: it did not run at all: %v", mode, err)
				}
			}
		})
	}
}

func TestHeldGitSaysTheSame(t *testing.T) {
	talk := func(p *place) (said []string) {
		for _, step := range []struct{ tool, args string }{
			{"git_commit", `{"message":"x","add_all":true}`},
			{"git_checkout", `{"target":"topic","create_branch":true}`},
			{"git_commit", `{"message":"y","files":["b.txt"]}`},
			{"git_checkout", `{"target":"main"}`},
			{"git_checkout", `{"target":"nowhere"}`},
			{"git_commit", `{"message":"x","add_all":true}`},
			{"git_status", `{}`},
			{"git_log", `{}`},
		} {
			text, err := p.call(step.tool, step.args)
			if err != nil {
				text += err.Error()
			}
			said = append(said, strings.ReplaceAll(text, p.dir, "DIR"))
			p.write("b.txt", step.tool)
		}
		return said
	}
	control, p := newRepository(t), newRepository(t)
	for _, each := range []*place{control, p} {
		each.env.Environ = append(each.env.Environ, "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
		each.hook("pre-commit", "echo checking >&2")
		each.write("a.txt", "changed\n")
	}
	p.hold(tools.SandboxWorkspace)
	free, held := talk(control), talk(p)
	for i := range free {
		if hashless(free[i]) != hashless(held[i]) {
			t.Errorf("held it says\n%s\ninstead of\n%s", held[i], free[i])
		}
	}
}

// hashless removes commit hashes, which depend on the time.
func hashless(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if trimmed := strings.Trim(word, "[]()"); len(trimmed) >= 7 && strings.Trim(trimmed, "0123456789abcdef") == "" {
			words[i] = "HASH"
		}
	}
	return strings.Join(words, " ")
}

func TestWithoutSandboxEverythingNeedsConsent(t *testing.T) {
	for name, way := range writers {
		p := newRepository(t)
		mark := filepath.Join(t.TempDir(), "mark")
		p.arm(name, mark)
		p.env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Home: p.env.Home, Environ: p.env.Environ}) // and no root directory to confine it to
		text, err := p.call(way.tool, way.args)
		if there(mark) {
			t.Errorf("%s: it ran", name)
		}
		switch {
		case name == "filter":
			if err == nil || !strings.Contains(err.Error(), "(x)") || !strings.Contains(err.Error(), "git would store wrong content") {
				t.Errorf("%s: %s, %v", name, text, err)
			}
		case err != nil || !strings.Contains(text, "These programs did not run, because there is no sandbox here: "):
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

func TestUserAgreesToExactlyWhatRuns(t *testing.T) {
	p := newRepository(t)
	p.env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Home: p.env.Home, Environ: p.env.Environ})
	p.env.Person = true
	mark := filepath.Join(t.TempDir(), "mark")
	p.hook("pre-commit", "touch "+mark)
	p.write("a.txt", "changed\n")
	_, err := p.call("git_commit", `{"message":"x","add_all":true}`)
	if !errors.Is(err, tools.ErrUnconfined) || !strings.Contains(err.Error(), "hook pre-commit: "+filepath.Join(p.dir, ".git/hooks/pre-commit")+" (sha256 ") || there(mark) {
		t.Fatalf("it does not ask: %v", err)
	}
	p.hook("pre-commit", "touch "+mark+" # and more")
	p.env.Approved = true
	if _, err := p.call("git_commit", `{"message":"x","add_all":true}`); !errors.Is(err, errChanged) || there(mark) {
		t.Errorf("another content than they were asked for: %v", err)
	}
	p.env.Approved = false
	if _, err := p.call("git_commit", `{"message":"x","add_all":true}`); !errors.Is(err, tools.ErrUnconfined) {
		t.Errorf("it does not ask again: %v", err)
	}
	p.env.Approved = true
	contains(t, p.must("git_commit", `{"message":"x","add_all":true}`), "Hooks that ran: pre-commit")
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	p.env.Approved = false // the same content needs no second question
	p.write("a.txt", "changed again\n")
	contains(t, p.must("git_commit", `{"message":"x","add_all":true}`), "Hooks that ran: pre-commit")
	if !there(mark) {
		t.Error("it did not run")
	}
}

// A signature needs an agent, which the sandbox hides. The error says so, and names alternatives.
func TestASignatureThatCannotBeMadeHasAWayOn(t *testing.T) {
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip(err)
	}
	p := newRepository(t)
	p.plain("config", "commit.gpgSign", "true")
	p.write("a.txt", "changed\n")
	p.hold(tools.SandboxWorkspace)
	p.refused("git_commit", `{"message":"x","add_all":true}`, "not committed", "--no-gpg-sign", "--sandbox off")
}

// Marvin does not write to a repository outside the directory of the sandbox.
func TestARepositoryElsewhereHasAWayOn(t *testing.T) {
	p := newRepository(t)
	p.write("a.txt", "changed\n")
	p.hold(tools.SandboxWorkspace)
	p.env.Root = t.TempDir()
	p.refused("git_commit", `{"message":"x","add_all":true}`, "/cd "+p.dir)
}
