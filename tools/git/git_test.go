package git

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence/disktest"
	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// place is a working directory with a git that has only the configuration of the test.
type place struct {
	t   *testing.T
	dir string
	env tools.Env
	git *Service
}

func newPlace(t *testing.T) *place {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
	}
	return &place{t: t, dir: dir, git: New(), env: tools.Env{
		Home: home, Dir: dir, Coding: true, Now: time.Now, Environ: environ, Progress: func(string) {}, Seen: &tools.Stamps{},
	}}
}

// newRepository makes a repository with one commit of the file a.txt on the branch main.
func newRepository(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	p.plain("init", "-q", "-b", "main")
	p.write("a.txt", "one\ntwo\nthree\n")
	p.plain("add", ".")
	p.plain("commit", "-q", "-m", "first")
	return p
}

// plain runs git like any user, without the protection under test.
func (p *place) plain(args ...string) string {
	p.t.Helper()
	command := exec.Command("git", args...)
	command.Dir, command.Env = p.dir, p.env.Environ
	out, err := command.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (p *place) write(name, content string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := disktest.WriteProgram(path, []byte(content), 0o644); err != nil { // some are hooks
		p.t.Fatal(err)
	}
}

// hook installs a hook script.
func (p *place) hook(name, script string) {
	p.t.Helper()
	p.write(".git/hooks/"+name, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(filepath.Join(p.dir, ".git/hooks", name), 0o755); err != nil {
		p.t.Fatal(err)
	}
}

// decoded decodes a call from JSON arguments, like a worker.
func (p *place) decoded(name, args string) tools.Call {
	p.t.Helper()
	for _, tool := range p.git.Tools() {
		if tool.Name == name {
			call, err := tool.Decode(json.RawMessage(args))
			if err != nil {
				call.Run = func(context.Context, tools.Env) (tools.Output, error) { return tools.Output{}, err }
			}
			return call
		}
	}
	p.t.Fatalf("there is no tool %s", name)
	return tools.Call{}
}

func (p *place) call(name, args string) (string, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	output, err := p.decoded(name, args).Run(ctx, p.env)
	return output.Text, err
}

func (p *place) must(name, args string) string {
	p.t.Helper()
	text, err := p.call(name, args)
	if err != nil {
		p.t.Fatalf("%s %s: %v", name, args, err)
	}
	return text
}

// contains fails unless every part is in the text.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}

// refused fails unless the call failed with every part in its message.
func (p *place) refused(name, args string, parts ...string) {
	p.t.Helper()
	text, err := p.call(name, args)
	if err == nil {
		p.t.Errorf("%s %s went through:\n%s", name, args, text)
		return
	}
	contains(p.t, err.Error(), parts...)
}
