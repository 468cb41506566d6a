package gitdir

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func shell(t *testing.T, dir, line string) string {
	t.Helper()
	command := exec.Command("sh", "-ec", line)
	command.Dir = dir
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c"}
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return strings.TrimSpace(string(out))
}

// gitFinds returns the repository that git itself finds, or "".
func gitFinds(dir string) (git, common string) {
	command := exec.Command("git", "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
	command.Dir = dir
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := command.Output()
	if err != nil {
		return "", ""
	}
	git, common, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	return git, common
}

const begin = "git init -q -b main . && echo 1 > f && git add f && git commit -qm one"

func TestDiscoverFindsWhatGitFinds(t *testing.T) {
	for name, made := range map[string]struct{ line, at string }{
		"none":               {"true", "."},
		"here":               {begin, "."},
		"above":              {begin + " && mkdir -p a/b", "a/b"},
		"inside":             {begin, ".git/objects"},
		"bare":               {"git init -q --bare .", "."},
		"worktree":           {begin + " && git worktree add -q ../$(basename $PWD)-tree && mv ../$(basename $PWD)-tree tree && git worktree repair tree 2>/dev/null", "tree"},
		"separate":           {"git init -q --separate-git-dir=elsewhere .", "."},
		"link":               {begin + " && mkdir sub && mv .git sub/real && ln -s sub/real .git", "."},
		"detached":           {begin + " && git checkout -q --detach", "."},
		"head is a link":     {begin + " && git config core.preferSymlinkRefs true && git checkout -qb other", "."},
		"no commit":          {"git init -q .", "."},
		"broken head":        {begin + " && echo x > .git/HEAD", "."},
		"broken and bare":    {begin + " && echo x > .git/HEAD && cp -r .git/objects .git/refs . && echo ref: refs/heads/x > HEAD", "."},
		"no objects":         {begin + " && mv .git/objects .git/away", "."},
		"empty":              {"mkdir .git", "."},
		"empty in another":   {begin + " && mkdir -p a/.git", "a"},
		"file leads nowhere": {"echo gitdir: nowhere > .git", "."},
		"bare and above":     {begin + " && mkdir a && cp -r .git/objects .git/refs .git/HEAD a", "a"},
		"head of spaces":     {begin + " && printf 'ref:   refs/heads/main' > .git/HEAD", "."},
		"common elsewhere":   {begin + " && mkdir other && cp -r .git/objects .git/refs .git/config other && echo ../other > .git/commondir", "."},
	} {
		dir, _ := filepath.EvalSymlinks(t.TempDir())
		shell(t, dir, made.line)
		at := filepath.Join(dir, made.at)
		git, common := gitFinds(at)
		if resolved, err := filepath.EvalSymlinks(git); err == nil && git != "" {
			git = resolved
		}
		if got := Discover(at); got.Dir != git || got.Common != common {
			t.Errorf("%s: found %+v, git finds %q, %q", name, got, git, common)
		}
	}
}

func TestAnotherRepositoryIsNoticed(t *testing.T) {
	layOut := "mkdir -p objects refs && echo ref: refs/heads/x > HEAD && printf '[core]\\n\\tfsmonitor = touch ran\\n' > config"
	for name, change := range map[string]struct{ before, line, says string }{
		"a bare one over a broken one": {begin, "echo x > .git/HEAD && " + layOut, "because it has HEAD, objects and refs"},
		"a broken one":                 {begin, "echo x > .git/HEAD", "is broken (its HEAD is neither a branch nor a commit)"},
		"without objects":              {begin, "mv .git/objects .git/x", "is broken (it has no objects)"},
		"without a HEAD":               {begin, "rm .git/HEAD && " + layOut, "it has no HEAD"},
		"another common directory":     {begin, "mkdir o && cp -r .git/objects .git/refs o && echo ../o > .git/commondir", "and now it is"},
		"a bare one where none was":    {"true", layOut, "as a repository, because it has HEAD"},
		"laid out, and not found":      {begin, layOut, ""},
		"work":                         {begin, "echo 2 > f && git commit -qam two && git checkout -q --detach && git gc -q && git pack-refs --all", ""},
		"made by the user":             {"true", begin, ""},
		"removed by the user":          {begin, "rm -rf .git", ""},
		"made anew by the user":        {begin, "rm -rf .git && " + begin, ""},
		"bare from the beginning":      {"git init -q --bare .", "git symbolic-ref HEAD refs/heads/y && mkdir .git", ""},
		"what the sandbox puts there":  {begin, "echo . > .git/commondir", ""},
	} {
		dir := t.TempDir()
		shell(t, dir, change.before)
		var pins Pins
		if err := pins.Check(dir); err != nil {
			t.Fatal(err)
		}
		shell(t, dir, change.line)
		fresh, err := pins.News(dir)
		if (err != nil) != (change.says != "") || fresh != (err != nil) || err != nil && (!errors.Is(err, ErrMoved) || !strings.Contains(err.Error(), change.says)) {
			t.Errorf("%s: %v", name, err)
		}
		if fresh, again := pins.News(dir); fresh || (again == nil) != (err == nil) {
			t.Errorf("%s: told again, or no more: %v", name, again)
		}
	}
}

func TestABareOneOverABrokenOneIsNoticedAtOnce(t *testing.T) {
	dir := t.TempDir()
	shell(t, dir, begin+" && echo x > .git/HEAD && mkdir objects refs && echo ref: refs/heads/x > HEAD")
	if err := new(Pins).Check(dir); !errors.Is(err, ErrMoved) {
		t.Error(err)
	}
}

func TestItIsRightAgainWhenItIsPutRight(t *testing.T) {
	dir := t.TempDir()
	shell(t, dir, begin)
	var pins Pins
	_ = pins.Check(dir)
	shell(t, dir, "cp .git/HEAD kept && echo x > .git/HEAD")
	if pins.Check(dir) == nil {
		t.Error("not noticed")
	}
	shell(t, dir, "cp kept .git/HEAD")
	if err := pins.Check(dir); err != nil {
		t.Error(err)
	}
}
