package gitdir

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layOut creates files below a new directory, whose path has no links; a name that ends in / is a
// directory.
func layOut(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil && strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o755)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// repository returns the minimal files of a repository, below a name.
func repository(name string) map[string]string {
	return map[string]string{name + "HEAD": "ref: refs/heads/main\n", name + "objects/": "", name + "refs/": ""}
}

// broken returns the reason for each way in which a directory can fail to be a repository.
func TestBrokenRepositories(t *testing.T) {
	commit := strings.Repeat("0123456789abcdefABCD", 2)
	for _, row := range []struct{ head, link, says string }{
		{"ref: refs/heads/main", "", ""},
		{"ref:\t refs/heads/main\n", "", ""},
		{"ref: heads/main", "", "its HEAD is neither a branch nor a commit"},
		{"refs/heads/main", "", "its HEAD is neither a branch nor a commit"},
		{commit, "", ""},
		{commit + "\n", "", ""},
		{commit[1:], "", "its HEAD is neither a branch nor a commit"},
		{"g" + commit[1:], "", "its HEAD is neither a branch nor a commit"},
		{"", "", "it has no HEAD"},
		{"", "refs/heads/main", ""},
		{"", "elsewhere", "its HEAD is a link to something other than a branch"},
	} {
		root := layOut(t, map[string]string{"objects/": "", "refs/": ""})
		err := error(nil)
		if row.link != "" {
			err = os.Symlink(row.link, filepath.Join(root, "HEAD"))
		} else if row.head != "" {
			err = os.WriteFile(filepath.Join(root, "HEAD"), []byte(row.head), 0o644)
		}
		if got := broken(root); got != row.says || err != nil {
			t.Errorf("%q, %q: %q, %v", row.head, row.link, got, err)
		}
	}
	for _, gone := range []string{"objects", "refs"} {
		files := repository("")
		delete(files, gone+"/")
		files[gone] = "a file"
		if got := broken(layOut(t, files)); got != "it has no "+gone {
			t.Errorf("%s is a file: %q", gone, got)
		}
	}
	if got := broken(""); got != "it leads nowhere" {
		t.Errorf("nothing: %q", got)
	}
}

// The targets of a .git file and of commondir are resolved as git resolves them: link/.. is the parent
// of the link's target.
func TestRepositoryPointers(t *testing.T) {
	root := layOut(t, repository("real/"))
	real := filepath.Join(root, "real")
	if err := errors.Join(os.MkdirAll(filepath.Join(root, "a", "b"), 0o755), os.Symlink("a/b", filepath.Join(root, "x")), os.Symlink("../real", filepath.Join(root, "a", "same"))); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"gitdir: x/../same": real, "gitdir: real ": "", "gitdir: real\x00/other\n": real, "gitdir: " + strings.Repeat("./", 2040) + "real": real,
		"gitdir: real": real, "gitdir: real\r\n\n": real, "gitdir: ./a/../real\n": real, "gitdir: " + root + "//a/../real": real, "gitdir: missing/../real": "", "gitdir: none": "", "gitdir: ": "", "gitdir:real": "", "": "", "gitdir: " + strings.Repeat("x", 5000): "",
	} {
		if err := os.WriteFile(filepath.Join(root, ".git"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got := Discover(root)
		if got.Dir != want || want != "" && got != (Found{Dir: real, Common: real, Entry: filepath.Join(root, ".git")}) {
			t.Errorf("%.40q: %+v", text, got)
		}
	}
	for text, want := range map[string]string{"../other\n": filepath.Join(root, "other"), root + "/./other": filepath.Join(root, "other"), "\n": real, ".": real} {
		if err := os.WriteFile(filepath.Join(real, "commondir"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := Common(real); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := Discover(filepath.Join(root, "none")); got != (Found{}) {
		t.Errorf("a directory that is not there: %+v", got)
	}
	for limit, want := range map[int64]string{3: "abc", 10: "abcdef"} {
		if got := first(filepath.Join(layOut(t, map[string]string{"f": "abcdef"}), "f"), limit); got != want {
			t.Errorf("of a file %q", got)
		}
	}
	if first(root, 10) != "" || first(filepath.Join(root, "none"), 10) != "" {
		t.Error("a directory, or nothing, says something")
	}
}

// The commands of a rebase are the text after exec, and are new only once.
func TestRebaseExecLines(t *testing.T) {
	files := repository(".git/")
	files[".git/rebase-merge/git-rebase-todo"] = "pick 1 exec no\nexec make test\n  x  two  words \nexec\nx \nexecute no\n# exec no\n"
	root := layOut(t, files)
	found := Discover(root)
	if got := found.execs(); !slices.Equal(got, []string{"make test", "two  words"}) {
		t.Errorf("%q", got)
	}
	if got := (Found{}).execs(); got != nil {
		t.Errorf("of no repository: %q", got)
	}
	var pins Pins
	if got := pins.NewExecs(root); got != nil {
		t.Errorf("before anybody looked: %q", got)
	}
	pins.Begin(root)
	if got := pins.NewExecs(root); len(got) != 2 {
		t.Errorf("the first time: %q", got)
	}
	if got := pins.NewExecs(root); got != nil {
		t.Errorf("again: %q", got)
	}
	if err := os.RemoveAll(filepath.Join(root, ".git", "rebase-merge")); err != nil {
		t.Fatal(err)
	}
	if got := pins.NewExecs(root); len(got) != 0 {
		t.Errorf("when it is over: %q", got)
	}
	if got := found.execs(); got != nil {
		t.Errorf("when it is over: %q", got)
	}
}

// Check describes every way in which git may find another repository.
func TestGitFindsAnotherRepository(t *testing.T) {
	outer := repository("../.git/")
	write := func(root, name, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755), os.WriteFile(filepath.Join(root, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		what   string
		before map[string]string
		then   func(root string)
		says   string
	}{
		{"broken below another", map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/objects/": "", ".git/refs/": ""}, func(root string) { write(root, ".git/HEAD", "x") }, "ROOT/.git is broken (its HEAD is neither a branch nor a commit), so git uses ABOVE/.git instead"},
		{"a bare one that breaks", repository(""), func(root string) { write(root, "HEAD", "x") }, "ROOT is broken (its HEAD is neither a branch nor a commit), so git uses ABOVE/.git instead"},
		{"another by its file", map[string]string{".git": "gitdir: a\n", "a/HEAD": "ref: refs/heads/main\n", "a/objects/": "", "a/refs/": "", "b/HEAD": "ref: refs/heads/main\n", "b/objects/": "", "b/refs/": ""}, func(root string) { write(root, ".git", "gitdir: b\n") }, "it was ROOT/a, and now it is ROOT/b"},
		{"the same by its file", map[string]string{".git": "gitdir: a\n", "a/HEAD": "ref: refs/heads/main\n", "a/objects/": "", "a/refs/": ""}, func(root string) { write(root, ".git", "gitdir: ./a\n") }, ""},
		{"laid out beside an empty .git", map[string]string{".git/": ""}, func(root string) {
			for name, text := range repository("") {
				write(root, strings.TrimSuffix(name, "/")+map[bool]string{true: "/x"}[strings.HasSuffix(name, "/")], text)
			}
		}, "git treats the directory ROOT as a repository, because it has HEAD, objects and refs; its configuration could make git run programs"},
	} {
		above := layOut(t, nil)
		root := filepath.Join(above, "project")
		for _, files := range []map[string]string{row.before, outer} {
			for name, text := range files {
				write(root, strings.TrimSuffix(name, "/")+map[bool]string{true: "/x"}[strings.HasSuffix(name, "/")], text)
			}
		}
		if row.what == "laid out beside an empty .git" {
			if err := os.Remove(filepath.Join(root, ".git", "x")); err != nil {
				t.Fatal(err)
			}
		}
		var pins Pins
		pins.Begin(root)
		row.then(root)
		pins.Begin(root) // Begin ignores known directories
		err := pins.Check(root)
		want := strings.NewReplacer("ROOT", root, "ABOVE", above).Replace(row.says)
		if (err == nil) != (want == "") || err != nil && err.Error() != ErrMoved.Error()+": "+want {
			t.Errorf("%s: %v\nwant %s", row.what, err, want)
		}
	}
	if err := new(Pins).Check("relative"); err != nil {
		t.Errorf("a relative directory: %v", err)
	}
}
