package box

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestDirectoryListingInErrors(t *testing.T) {
	numbered := func(form string, from, to int) (names []string) {
		for i := from; i <= to; i++ {
			names = append(names, fmt.Sprintf(form, i))
		}
		return names
	}
	lines := func(texts ...[]string) string {
		var all []string
		for _, text := range texts {
			all = append(all, text...)
		}
		return strings.Join(all, "\n")
	}
	for _, row := range []struct {
		what  string
		files []string
		want  string
	}{
		{"few", []string{"b", "a", "d/x", "d/y/z"}, "  a\n  b\n  d/\n    x\n    y/"},
		{"as many as there is room for", numbered("f%02d", 1, treeLimit), lines(numbered("  f%02d", 1, treeLimit))},
		{"one more", numbered("f%02d", 1, treeLimit+1), lines(numbered("  f%02d", 1, treeLimit-1), []string{"  … 2 more"})},
		{"a directory among as many", append(numbered("f%02d", 1, treeLimit-1), "d/x"), lines([]string{"  d/"}, numbered("  f%02d", 1, treeLimit-1))},
		{"room for one line below", append(numbered("f%02d", 1, treeLimit-2), "d/x"), lines([]string{"  d/", "    x"}, numbered("  f%02d", 1, treeLimit-2))},
		{"room for one of several", append(numbered("f%02d", 1, treeLimit-2), "d/x", "d/y"), lines([]string{"  d/", "    … 2 more"}, numbered("  f%02d", 1, treeLimit-2))},
		{"as many below", numbered("d/f%02d", 1, treeBranch), lines([]string{"  d/"}, numbered("    f%02d", 1, treeBranch))},
		{"one more below", numbered("d/f%02d", 1, treeBranch+1), lines([]string{"  d/"}, numbered("    f%02d", 1, treeBranch-1), []string{"    … 2 more"})},
		{"what says nothing", []string{".git/x", "Node_Modules/x", "venv/x", ".hg/x", ".svn/x", ".venv/x", "__pycache__/x", ".tickets/x", "a"}, "  a"},
	} {
		files := map[string]string{}
		for _, name := range row.files {
			files[name] = ""
		}
		root := tree(t, files)
		if got := open(t, root).overview(); got != "Working directory: "+root+"\nIt contains:\n"+row.want {
			t.Errorf("%s:\n%s\nwant\n%s", row.what, got, row.want)
		}
	}
	root := tree(t, map[string]string{"plain": "", "Größe": "", "a b": "", "u\u0308": "", "n\nl": "", "empty/": ""})
	must(t, errors.Join(syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600), os.Symlink("plain", filepath.Join(root, "link")), os.WriteFile(filepath.Join(root, "bad\xff"), nil, 0o600)))
	dir := open(t, root)
	if got, want := dir.overview(), "Working directory: "+root+"\nIt contains:\n  Größe\n  a b\n  \"bad\\xff\"\n  empty/\n  link (link)\n  \"n\\nl\"\n  pipe (named pipe)\n  plain\n  \"u\\u0308\""; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	_, err := readFile(dir, "empty")
	if err == nil || err.Error() != "empty is a directory: not a regular file\nGive the path of a file in this directory. It contains:\n  (nothing)" {
		t.Errorf("%v", err)
	}
}

func TestPathSuggestions(t *testing.T) {
	files := map[string]string{"main.go": "", "Makefile": "", "abc": "", "src/deep/util.go": "", "src/other/UTIL.go": "", "résumé": "", "a/b/c/d/e/f/g/lost": "", "a/b/c/d/e/f/g/h/deeper": "", "documentation": ""}
	for i := range 7 {
		files[fmt.Sprintf("many/%d/same.txt", i)] = ""
		files[fmt.Sprintf("page%d", i)] = ""
	}
	dir := open(t, tree(t, files))
	for name, want := range map[string]string{
		"MAIN.go": `"main.go"`, "mian.go": "", "mai.go": `"main.go"`, "main.goo": `"main.go"`, "makefile": `"Makefile"`, "maekfile": "", "abd": "", "ab": "", "util.go": `"src/deep/util.go" or "src/other/UTIL.go"`,
		"src/deep/Util.go": `"src/deep/util.go"`, "srx/deep/util.go": `"src/deep/util.go" or "src/other/UTIL.go"`, "re\u0301sume\u0301": `"résumé"` + ` ("r\u00e9sum\u00e9")`, "lost": `"a/b/c/d/e/f/g/lost"`, "deeper": "",
		"documentatoin": `"documentation"`, "documentatino": `"documentation"`, "documentxxxon": "", "same.txt": `"many/0/same.txt" or "many/1/same.txt" or "many/2/same.txt" or "many/3/same.txt" or "many/4/same.txt"`,
		"page": `"page0" or "page1" or "page2" or "page3" or "page4"`, "page99": "", "src/none": "",
	} {
		_, err := readFile(dir, name)
		said := ""
		if err != nil {
			_, rest, _ := strings.Cut(err.Error(), "\n")
			if asked, ok := strings.CutPrefix(rest, "Did you mean "); ok {
				said, _, _ = strings.Cut(asked, "? A name must match exactly.\nWorking directory: ")
			}
		}
		if err == nil || said != want {
			t.Errorf("%s: %s, want %s", name, said, want)
		}
	}
}

// A directory opened below a root stays usable when the root or the directory changes.
func TestADirectoryBelowARoot(t *testing.T) {
	root := tree(t, map[string]string{"sub/f": "inside", ".ssh/": ""})
	other := tree(t, map[string]string{"f": "other"})
	guard := never(filepath.Join(other, "kept"), filepath.Join(root, ".ssh"))
	for dir, want := range map[string]string{root: "", filepath.Join(root, "sub"): "inside", other: "other"} {
		for _, base := range []string{root, ""} {
			opened, err := OpenIn(base, dir, guard)
			must(t, err)
			if got, _ := readFile(opened, "f"); got != want || opened.Path() != dir || opened.Real() != dir {
				t.Errorf("%s in %q: %q, %s", dir, base, got, opened.Real())
			}
			name := map[string]string{root: ".ssh/x", other: "kept"}[dir]
			if name != "" && !errors.Is(write(opened, name, "x"), ErrProtected) {
				t.Errorf("%s in %q: %s is not guarded", dir, base, name)
			}
			must(t, opened.Close())
		}
	}
	for _, row := range []struct{ root, dir string }{{root, filepath.Join(root, "none")}, {root, other}, {filepath.Join(root, "none"), filepath.Join(root, "none", "x")}, {root, filepath.Join(root, "sub", "f")}} {
		if opened, err := OpenBelow("Notes", row.root, row.dir); err == nil || opened != nil || !strings.HasPrefix(err.Error(), "open directory "+row.dir+": ") {
			t.Errorf("%s below %s: %v", row.dir, row.root, err)
		}
	}
	if opened, err := OpenIn(root, filepath.Join(other, "none"), guard); err == nil || opened != nil {
		t.Errorf("one that is not there: %v", err)
	}
	if real, inside, err := ResolveBelow(filepath.Join(root, "none"), other); real != other || inside || err != nil {
		t.Errorf("below a root that is gone: %s, %v, %v", real, inside, err)
	}
	if _, _, err := ResolveBelow(root, filepath.Join(root, "sub", "f")); err == nil || err.Error() != filepath.Join(root, "sub", "f")+" is a file, not a directory" {
		t.Errorf("a file: %v", err)
	}
}
