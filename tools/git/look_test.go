package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	p := newRepository(t)
	if got := p.must("git_status", ""); got != "## main\nNothing to commit, the working tree is clean.\n" {
		t.Errorf("clean: %q", got)
	}
	p.write("a.txt", "changed\n")
	p.write("ümläut.txt", "")
	if got := p.must("git_status", ""); got != "## main\n M a.txt\n?? ümläut.txt\n" {
		t.Errorf("changed: %q", got)
	}
}

func TestStatusSaysWhatGitIsInTheMiddleOf(t *testing.T) {
	p := newRepository(t)
	p.plain("checkout", "-q", "-b", "other")
	p.write("a.txt", "theirs\n")
	p.plain("commit", "-qam", "theirs")
	p.plain("checkout", "-q", "main")
	p.write("a.txt", "ours\n")
	p.plain("commit", "-qam", "ours")
	merge := exec.Command("git", "merge", "other")
	merge.Dir, merge.Env = p.dir, p.env.Environ
	if out, err := merge.CombinedOutput(); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	contains(t, p.must("git_status", ""), "UU a.txt", "A merge is in progress.")
}

func TestDiff(t *testing.T) {
	p := newRepository(t)
	if got := p.must("git_diff", ""); got != "No changes." {
		t.Errorf("clean: %q", got)
	}
	p.write("a.txt", "one\n2\nthree\n")
	p.write("sub/b.txt", "new\n")
	contains(t, p.must("git_diff", `{"path":"a.txt"}`), "-two\n+2\n", "--- a/a.txt", "+++ b/a.txt")
	p.plain("add", "a.txt")
	contains(t, p.must("git_diff", ""), "\"staged\": true")
	contains(t, p.must("git_diff", `{"staged":true}`), "+2")
	if err := os.Remove(filepath.Join(p.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	contains(t, p.must("git_diff", `{"path":"a.txt"}`), "deleted file")
}

func TestLog(t *testing.T) {
	p := newRepository(t)
	for _, subject := range []string{"second", "third"} {
		p.plain("commit", "-q", "--allow-empty", "-m", subject)
	}
	if got := p.must("git_log", `{"n":2}`); strings.Count(got, "\n") != 2 || !strings.Contains(got, "third") {
		t.Errorf("two commits: %q", got)
	}
	contains(t, p.must("git_log", `{"max_count":100000,"oneline":false}`), "Author: Ada <ada@example.org>", "    first")
	if got := p.must("git_log", `{"max_count":-5}`); strings.Count(got, "\n") != 1 {
		t.Errorf("clamped to one: %q", got)
	}
}

func TestBlame(t *testing.T) {
	p := newRepository(t)
	if got := p.must("git_blame", `{"path":"a.txt","start_line":2,"end_line":3}`); strings.Count(got, "\n") != 2 ||
		!strings.Contains(got, "two") || !strings.Contains(got, "Ada") {
		t.Errorf("lines 2 to 3: %q", got)
	}
	if got := p.must("git_blame", `{"path":"a.txt","start":3}`); strings.Count(got, "\n") != 1 {
		t.Errorf("from line 3: %q", got)
	}
	p.refused("git_blame", `{"path":"a.txt","start_line":3,"end_line":2}`, "before start_line")
	p.refused("git_blame", `{"path":"a.txt","start_line":9}`, "has only 3 lines")
	p.refused("git_blame", `{"path":"none.txt"}`, "no such path")
}

func TestBranches(t *testing.T) {
	p := newRepository(t)
	p.plain("branch", "other")
	if got := p.must("git_branch", ""); got != "* main\n  other\n" {
		t.Errorf("branches: %q", got)
	}
	p.plain("checkout", "-q", "--detach")
	contains(t, p.must("git_branch", ""), "* (HEAD detached at ")
	contains(t, p.must("git_status", ""), "## HEAD (no branch)")
}

func TestEmptyRepository(t *testing.T) {
	p := newPlace(t)
	p.plain("init", "-q", "-b", "main")
	contains(t, p.must("git_status", ""), "No commits yet on main")
	contains(t, p.must("git_log", ""), "no commits yet")
	contains(t, p.must("git_branch", ""), "There are no branches yet")
	if got := p.must("git_diff", ""); got != "No changes." {
		t.Errorf("diff without HEAD: %q", got)
	}
	p.write("a.txt", "one\n")
	p.plain("add", ".")
	contains(t, p.must("git_diff", `{"staged":true}`), "+one")
	p.refused("git_blame", `{"path":"a.txt"}`, "no commits yet", "git_commit")
	contains(t, p.must("git_commit", `{"message":"first","add_all":true}`), "root-commit", "first")
}

func TestNoRepository(t *testing.T) {
	p := newPlace(t)
	for _, name := range []string{"git_status", "git_diff", "git_log", "git_branch"} {
		p.refused(name, "", "not inside a git repository", "git init")
	}
	p.refused("git_commit", `{"message":"x","add_all":true}`, "not inside a git repository")
	p.env.Dir = ""
	p.refused("git_status", "", "set_working_dir")
}

func TestGitIsMissing(t *testing.T) {
	p := newPlace(t)
	p.env.Environ = []string{"PATH=" + t.TempDir()}
	p.refused("git_status", "", "program not found on PATH: git", "install git")
}

func TestBareRepository(t *testing.T) {
	p := newPlace(t)
	p.plain("init", "-q", "--bare")
	p.refused("git_status", "", "no working tree", "git_log")
	contains(t, p.must("git_log", ""), "no commits yet")
}

func TestWorktreeAndSubdirectory(t *testing.T) {
	p := newRepository(t)
	main := p.dir
	linked := filepath.Join(t.TempDir(), "linked")
	p.plain("worktree", "add", "-q", "-b", "side", linked)
	p.dir, p.env.Dir = linked, linked
	p.write("a.txt", "side\n")
	contains(t, p.must("git_commit", `{"message":"in the worktree","add_all":true}`), "[side ")
	p.dir, p.env.Dir = main, filepath.Join(main, "sub")
	p.write("sub/b.txt", "b\n")
	contains(t, p.must("git_status", ""), "Repository: "+main, "?? ./")
	contains(t, p.must("git_commit", `{"message":"from below","files":["b.txt"]}`), "sub/b.txt")
}

func TestSubmodule(t *testing.T) {
	inner, p := newRepository(t), newRepository(t)
	p.plain("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
	p.plain("commit", "-qm", "add mod")
	p.write("mod/a.txt", "dirty\n")
	contains(t, p.must("git_status", ""), "clean")
	p.env.Dir = filepath.Join(p.dir, "mod")
	contains(t, p.must("git_status", ""), " M a.txt")
}

func TestDubiousOwnership(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a repository to another user")
	}
	p := newRepository(t)
	if err := os.Chown(p.dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	p.refused("git_status", "", "dubious ownership", "safe.directory", "Only the user")
}

func TestStaleLockIsReportedWithItsAge(t *testing.T) {
	p := newRepository(t)
	p.write("a.txt", "changed\n")
	p.write(".git/index.lock", "")
	old := time.Now().Add(-3 * time.Hour)
	if err := os.Chtimes(filepath.Join(p.dir, ".git/index.lock"), old, old); err != nil {
		t.Fatal(err)
	}
	contains(t, p.must("git_status", ""), " M a.txt", "index.lock is 3h0m")
	for tool, args := range map[string]string{"git_commit": `{"message":"x","add_all":true}`, "git_checkout": `{"target":"other","create_branch":true}`} {
		p.refused(tool, args, "index.lock is 3h0m", "ask the user")
	}
	contains(t, p.must("git_branch", ""), "main")
	if _, err := os.Stat(filepath.Join(p.dir, ".git/index.lock")); err != nil {
		t.Errorf("the lock was removed: %v", err)
	}
}

func TestWorkingTreeMovedByConfiguration(t *testing.T) {
	p := newRepository(t)
	p.plain("config", "core.worktree", "/")
	p.refused("git_status", "", "core.worktree", "is not part of")
}

func TestPathsStayInTheWorkingDirectory(t *testing.T) {
	p := newRepository(t)
	if err := os.Symlink("/etc", filepath.Join(p.dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/etc/passwd", "../x", "sub/../../x", "link/passwd", "~/x"} {
		p.refused("git_diff", `{"path":"`+path+`"}`)
		p.refused("git_blame", `{"path":"`+path+`"}`)
		p.refused("git_commit", `{"message":"x","files":["`+path+`"]}`)
	}
}

func TestValuesNeverBecomeOptionsOrPatterns(t *testing.T) {
	p := newRepository(t)
	for _, value := range []string{"--output=planted", "-planted", "--no-index", "-h", "--", "--help"} {
		p.refused("git_diff", `{"path":"`+value+`"}`, "looks like an option")
		p.refused("git_blame", `{"path":"`+value+`"}`, "looks like an option")
		p.refused("git_checkout", `{"target":"`+value+`"}`, "looks like an option")
		p.refused("git_commit", `{"message":"x","files":["`+value+`"]}`, "looks like an option")
	}
	p.write("-rf", "before\n")
	p.write(":(top)x", "before\n")
	p.write("*", "before\n")
	contains(t, p.must("git_commit", `{"message":"--amend","files":["./-rf",":(top)x","*"]}`), "--amend", "3 files changed")
	p.write("-rf", "after\n")
	p.write("a.txt", "after\n")
	contains(t, p.must("git_diff", `{"path":"./-rf"}`), "+after")
	if got := p.must("git_diff", `{"path":"*"}`); got != "No changes." {
		t.Errorf("the name * was read as a pattern: %q", got)
	}
	if entries, _ := filepath.Glob(filepath.Join(p.dir, "*planted*")); entries != nil {
		t.Errorf("an option was obeyed: %v", entries)
	}
}
