package gitdir

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheBranchIsWhatGitSays(t *testing.T) {
	dir := t.TempDir()
	if branch := Branch(dir); branch != "" {
		t.Errorf("without a repository the branch is %q", branch)
	}
	shell(t, dir, "git init -q -b main . && git commit -q --allow-empty -m first && git checkout -q -b feature/one && mkdir below && git worktree add -q ../"+filepath.Base(dir)+"-tree main")
	t.Cleanup(func() { os.RemoveAll(dir + "-tree") })
	for where, want := range map[string]string{dir: "feature/one", filepath.Join(dir, "below"): "feature/one", dir + "-tree": "main"} {
		if branch := Branch(where); branch != want {
			t.Errorf("the branch of %s is %q, want %q", where, branch, want)
		}
	}
	shell(t, dir, "git checkout -q --detach")
	if branch := Branch(dir); branch != "" {
		t.Errorf("a commit that is checked out is a branch %q", branch)
	}
}
