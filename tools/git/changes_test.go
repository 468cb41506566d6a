package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
)

// wrote writes a file like the file tools, and records the change in the conversation.
func (p *place) wrote(name, content string) {
	p.t.Helper()
	p.write(name, content)
	p.env.Seen.Change(filepath.Join(p.dir, name))
}

func TestAListOfManyChangesSaysHowManyThereAre(t *testing.T) {
	var all changes
	for n := range 13 {
		all = append(all, entry{"A ", string(rune('a' + n))})
	}
	const twelve = "A  a, A  b, A  c, A  d, A  e, A  f, A  g, A  h, A  i, A  j, A  k, A  l"
	for _, c := range []struct {
		list changes
		want string
	}{{nil, ""}, {all[:1], "A  a"}, {all[:12], twelve}, {all, twelve + ", … (13 in all)"}} {
		if got := c.list.list(); got != c.want {
			t.Errorf("%q instead of %q", got, c.want)
		}
	}
}

func TestACommitTakesWhatTheConversationChanged(t *testing.T) {
	p := newRepository(t)
	for _, name := range []string{"mine.txt", "theirs.txt", "gone.txt", "staged.txt"} {
		p.write(name, "first\n")
	}
	p.plain("add", ".")
	p.plain("commit", "-q", "-m", "second")
	p.wrote("mine.txt", "changed\n")
	p.wrote("new/deep/ü \"x\".txt", "new\n")
	p.wrote("gone.txt", "")
	if err := os.Remove(filepath.Join(p.dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	p.wrote("made and gone.txt", "")
	if err := os.Remove(filepath.Join(p.dir, "made and gone.txt")); err != nil {
		t.Fatal(err)
	}
	p.write("theirs.txt", "the user's\n")
	p.write("shot.png", "\x89PNG")
	p.write("staged.txt", "staged\n")
	p.plain("add", "staged.txt")
	contains(t, p.must("git_commit", `{"message":"x"}`), "3 files changed", "Not committed", "?? shot.png", "M theirs.txt", "M  staged.txt")
	if got := p.plain("status", "--short"); got != "M  staged.txt\n M theirs.txt\n?? shot.png\n" {
		t.Errorf("left are %s", got)
	}
	if got := p.plain("-c", "core.quotePath=false", "show", "--name-status", "--format=", "HEAD"); got != "D\tgone.txt\nM\tmine.txt\nA\t\"new/deep/ü \\\"x\\\".txt\"\n" {
		t.Errorf("committed are %s", got)
	}
	contains(t, p.must("git_commit", `{"message":"what is staged"}`), "1 file changed")
	p.refused("git_commit", `{"message":"x"}`, "no file tool in this conversation", "?? shot.png", "\"add_all\": true")
	contains(t, p.must("git_commit", `{"message":"x","files":["theirs.txt"]}`), "1 file changed", "Not committed (to commit a file, list it in \"files\"): ?? shot.png\n")
	if text := p.must("git_commit", `{"message":"x","add_all":true}`); strings.Contains(text, "Left") {
		t.Error(text)
	}
}

// Changes are found from a subdirectory, and through another name of the directory.
func TestChangesAreFoundByAnyPath(t *testing.T) {
	p := newRepository(t)
	p.wrote("sub/a.txt", "x\n")
	p.wrote("b.txt", "x\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(p.dir, link); err != nil {
		t.Fatal(err)
	}
	p.env.Seen.Change(filepath.Join(link, "c.txt"))
	p.write("c.txt", "x\n")
	p.env.Dir = filepath.Join(link, "sub")
	contains(t, p.must("git_commit", `{"message":"x"}`), "3 files changed")
	agent := p.env.Seen.ForSubAgent()
	agent.Change(filepath.Join(p.dir, "d.txt"))
	p.write("d.txt", "x\n")
	contains(t, p.must("git_commit", `{"message":"by a sub-agent"}`), "1 file changed")
	if len((&tools.Stamps{}).Changed()) > 0 {
		t.Error("a new conversation has changed something")
	}
}

func TestMarksOfAMergeAreNotCommitted(t *testing.T) {
	p := newRepository(t)
	p.plain("checkout", "-q", "-b", "side")
	p.write("a.txt", "side\n")
	p.plain("commit", "-q", "-am", "side")
	p.plain("checkout", "-q", "main")
	p.write("a.txt", "main\n")
	p.plain("commit", "-q", "-am", "main")
	merge := exec.Command("git", "merge", "side")
	merge.Dir, merge.Env = p.dir, p.env.Environ
	if out, err := merge.CombinedOutput(); err == nil {
		t.Fatalf("nothing to resolve: %s", out)
	}
	p.write("other.txt", "x\n")
	for _, args := range []string{`{"message":"x","add_all":true}`, `{"message":"x","files":["a.txt"]}`, `{"message":"x"}`, `{"message":"x","add_all":false}`, `{"message":"x","files":["other.txt"]}`} {
		p.refused("git_commit", args, "a merge is not resolved", "<<<<<<<", "a.txt")
	}
	if got := p.plain("ls-files", "-u"); got == "" {
		t.Error("a refused commit marked the file as resolved")
	}
	p.write("a.txt", "both\n")
	contains(t, p.must("git_commit", `{"message":"merged"}`), "merged", "?? other.txt")
	if got := p.plain("rev-list", "--parents", "-n1", "HEAD"); len(strings.Fields(got)) != 3 {
		t.Errorf("it is no merge: %s", got)
	}
}

// A commit of all changes omits notes that an older Marvin left in a project; a note that is
// already tracked is committed.
func TestACommitOfEverythingLeavesMarvinsNotesOut(t *testing.T) {
	p := newRepository(t)
	p.write("sub/.marvin/notes/shared.md", "one\n")
	p.plain("add", "-A")
	p.plain("commit", "-q", "-m", "shared")
	p.write("sub/.marvin/notes/shared.md", "two\n")
	p.write(".marvin/notes/secret *.md", "hunter2\n")
	p.write(".marvin/agents/a.md", "x\n")
	p.must("git_commit", `{"message":"x","add_all":true}`)
	contains(t, p.plain("show", "--name-only", "--format="), "sub/.marvin/notes/shared.md", ".marvin/agents/a.md")
	if left := p.plain("status", "--porcelain", "-uall"); left != "?? \".marvin/notes/secret *.md\"\n" && left != "?? \".marvin/notes/secret *.md\"" {
		t.Errorf("left is %q", left)
	}
}
