package actors_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/shell"
)

// The sandbox would stop `git worktree add -b` after it has made the branch, and then it could not
// run outside either. So the user is asked first. After a no the branch does not exist, after a yes
// the worktree does.
func TestTheUserIsAskedBeforeTheSandboxWouldStopGitHalfway(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "project")
	git := func(args ...string) string {
		command := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e"}, args...)...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	for _, one := range []string{dir, filepath.Join(base, "home")} {
		if err := os.Mkdir(one, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "first")
	sandbox := tools.NewSandbox(tools.SandboxConfig{Environ: os.Environ(), Home: filepath.Join(base, "home")})
	t.Cleanup(func() { _ = sandbox.Close() })
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Dir: dir, Sandbox: sandbox,
		Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAuto},
	})
	const line = "git worktree add -q -b topic tree && echo made"
	asked, said := answer(tree, line, messages.No)
	if !strings.Contains(asked.Detail, "The sandbox cannot run this call. If you say yes, it runs with all your permissions: ") || asked.Always != "" {
		t.Errorf("asked %+v", asked)
	}
	if branches := git("branch", "--list", "topic"); branches != "" || !strings.Contains(said, "said no") {
		t.Errorf("after no: branches %q, said %q", branches, said)
	}
	if _, said = answer(tree, line, messages.Yes); !strings.HasPrefix(said, "made") {
		t.Errorf("after yes: %q", said)
	}
	if worktrees := git("worktree", "list"); !strings.Contains(worktrees, "project/tree") {
		t.Errorf("the worktrees are %q", worktrees)
	}
	if !sandbox.Whole(dir) {
		t.Skip("this system has no complete sandbox")
	}
	turn := tree.Prompt("touch a; echo confined")
	if worktrees := git("worktree", "list"); len(actorstest.TurnEvents[messages.Asked](turn)) > 0 || !strings.Contains(worktrees, "project/tree") {
		t.Errorf("after the next command: %q, the worktrees are %q", turn.Ended.Text, worktrees)
	}
}
