package git

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/tools"
	"marvin/tools/shell"
)

// command runs a line like the model.
func (p *place) command(line string) tools.Output {
	p.t.Helper()
	output, err := p.attempt(line)
	if err != nil {
		p.t.Fatal(err)
	}
	return output
}

func (p *place) attempt(line string) (tools.Output, error) {
	p.t.Helper()
	args, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		p.t.Fatal(err)
	}
	call, err := shell.Tools()[0].Decode(args)
	if err != nil {
		p.t.Fatal(err)
	}
	return call.Run(p.t.Context(), p.env)
}

func TestABareRepositoryOverABrokenOne(t *testing.T) {
	for _, mode := range []tools.SandboxMode{tools.SandboxAuto, tools.SandboxStrict} {
		p := newRepository(t)
		mark := filepath.Join(t.TempDir(), "mark")
		p.hold(mode)
		attack := "cp .git/HEAD kept; mkdir objects refs hooks; echo 'ref: refs/heads/x' > HEAD; printf '[core]\\n\\trepositoryformatversion = 0\\n\\tworktree = .\\n\\tfsmonitor = touch " + mark + "\\n' > config; echo x > .git/HEAD"
		output := p.command(attack)
		if !strings.Contains(output.Text, "[WARNING: ") || !strings.Contains(output.Text, "Tell the user") || !strings.Contains(output.Alarm, "programs. Do not run git there") {
			t.Errorf("%q: %s\nalarm: %s", mode, output.Text, output.Alarm)
		}
		if next := p.command("true"); next.Alarm != "" || !strings.Contains(next.Text, "[WARNING: ") {
			t.Errorf("the next command: %s, alarm %q", next.Text, next.Alarm)
		}
		for _, tool := range []struct{ name, args string }{
			{"git_status", "{}"}, {"git_diff", "{}"}, {"git_log", "{}"}, {"git_branch", "{}"}, {"git_blame", `{"path":"a.txt"}`}, {"git_commit", `{"message":"x","add_all":true}`}, {"git_checkout", `{"target":"main"}`},
		} {
			if _, err := p.call(tool.name, tool.args); !errors.Is(err, tools.ErrRepositoryMoved) {
				t.Errorf("%s: %v", tool.name, err)
			}
		}
		if there(mark) {
			t.Fatal("it ran")
		}
		if output := p.command("cp kept .git/HEAD; rm -r HEAD objects refs config hooks kept"); strings.Contains(output.Text, "WARNING") {
			t.Errorf("put right: %s", output.Text)
		}
		p.must("git_status", "{}")
		p.command(attack)
		plain := exec.Command("git", "status")
		plain.Dir, plain.Env, plain.WaitDelay = p.dir, p.env.Environ, time.Second
		out, _ := plain.CombinedOutput()
		if !there(mark) {
			t.Errorf("plain git does not fall into this trap, so it proves nothing:\n%s", out)
		}
	}
}

// Another repository may take the place of the one that Marvin has found. Marvin must only use the
// one that it found.
func TestReplacedRepositoryIsNotAsked(t *testing.T) {
	p := newRepository(t)
	repository, err := open(t.Context(), p.env)
	if err != nil {
		t.Fatal(err)
	}
	other := newRepository(t)
	other.plain("commit", "-q", "--allow-empty", "-m", "of another")
	p.plain("init", "-q", "--bare", ".")
	p.write(".git/HEAD", "x\n")
	out, err := repository.Read(t.Context(), "log", "--format=%s")
	if err == nil || !strings.Contains(err.Error(), p.dir) {
		t.Errorf("it asked %q, %v", out, err)
	}
}

func TestRebaseExecLinesAreReported(t *testing.T) {
	p := newRepository(t)
	p.write("a.txt", "two\n")
	p.plain("commit", "-qam", "second")
	p.hold(tools.SandboxAuto)
	if output := p.command("GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i HEAD~1; git status | head -1"); output.Alarm != "" || !strings.Contains(output.Text, "rebase in progress") {
		t.Fatalf("an ordinary rebase: %s, alarm %q", output.Text, output.Alarm)
	}
	output := p.command("echo 'exec touch /tmp/ran' >> .git/rebase-merge/git-rebase-todo")
	if !strings.Contains(output.Alarm, "would run these commands: touch /tmp/ran.") || !strings.Contains(output.Text, output.Alarm) {
		t.Errorf("%s, alarm %q", output.Text, output.Alarm)
	}
	if output := p.command("true"); output.Alarm != "" || strings.Contains(output.Text, "WARNING") {
		t.Errorf("told again: %s", output.Text)
	}
	if output := p.command("git rebase --continue 2>&1; ls -d .git/rebase-merge /tmp/ran"); !strings.Contains(output.Text, "Executing: touch /tmp/ran") || !strings.Contains(output.Text, "/tmp/ran\n") || there("/tmp/ran") {
		t.Errorf("in the sandbox: %s; outside: %v", output.Text, there("/tmp/ran"))
	}
}

func TestAnIncludedFileThatChangesMeanwhile(t *testing.T) {
	p := newRepository(t)
	p.plain("config", "include.path", "../.gitconfig")
	p.write(".gitattributes", "*.txt filter=x diff=x\n")
	p.write("a.txt", "one\nTWO\nthree\n")
	repository, err := open(t.Context(), p.env)
	if err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "mark")
	p.write(".gitconfig", "[filter \"x\"]\n\tclean = touch "+mark+"; cat\n\tprocess = touch "+mark+"\n")
	for _, args := range [][]string{{"status", "--short"}, {"diff", "--no-ext-diff"}, {"blame", "a.txt"}} {
		_, _ = repository.Read(t.Context(), args...)
	}
	if there(mark) {
		t.Error("it ran")
	}
	plain := exec.Command("git", "status")
	plain.Dir, plain.Env = p.dir, p.env.Environ
	out, _ := plain.CombinedOutput()
	if !there(mark) {
		t.Errorf("plain git does not fall into this trap, so it proves nothing:\n%s", out)
	}
}
