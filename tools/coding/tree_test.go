package coding

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var project = map[string]string{
	".gitignore": "ignored/\n*.log\n", "main.go": "", "cmd/x/x.go": "", "cmd/x/deep/er/y.go": "", "cmd/x/deep/er/z.go": "",
	"ignored/i.txt": "", "debug.log": "", "cmd/trace.log": "", "node_modules/m.js": "",
}

func TestTreeFromGit(t *testing.T) {
	p := newPlace(t, project)
	p.write("gone.txt", "")
	p.git("init", "-q")
	p.git("add", "main.go", "gone.txt")
	if err := os.Remove(filepath.Join(p.dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(p.dir, "link")); err != nil {
		t.Fatal(err)
	}
	got := p.must("tree", nil)
	want := `.
├── .gitignore
├── cmd/
│   └── x/
│       ├── deep/  (2 files)
│       └── x.go
├── link -> /etc
└── main.go
4 directories, 6 files
[left out: 2 paths that git ignores (debug.log, ignored/)]
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = p.must("tree", map[string]any{"path": "cmd/x", "depth": 99})
	want = `cmd/x
├── deep/
│   └── er/
│       ├── y.go
│       └── z.go
└── x.go
2 directories, 3 files
`
	if got != want {
		t.Errorf("below: got\n%s\nwant\n%s", got, want)
	}
}

func TestTreeFromDisk(t *testing.T) {
	for name, args := range map[string]map[string]any{
		"no repository":   {"max_depth": 2},
		"ignored as well": {"max_depth": 2, "respect_gitignore": false},
	} {
		p := newPlace(t, project)
		if name != "no repository" {
			p.git("init", "-q")
		}
		got := strings.Replace(p.must("tree", args), "├── .git/  (not listed)\n", "", 1)
		want := `.
├── .gitignore
├── cmd/
│   ├── trace.log
│   └── x/
├── debug.log
├── ignored/
│   └── i.txt
├── main.go
└── node_modules/  (not listed)
`
		if tree, ok := strings.CutPrefix(got, want); !ok || !strings.HasSuffix(tree, "directories, 5 files (down to depth 2)\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestTreeOfAnIgnoredDirectory(t *testing.T) {
	p := newPlace(t, project)
	p.git("init", "-q")
	want := "ignored\n└── i.txt\n0 directories, 1 file\n(git ignores all of this, or does not track it)\n"
	if got := p.must("tree", map[string]any{"path": "ignored"}); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestTreeIsCappedWithoutHidingNeighbours(t *testing.T) {
	files := map[string]string{"zebra/last.txt": ""}
	for i := range 2000 {
		files[fmt.Sprintf("aaa/%04d.txt", i)] = ""
	}
	p := newPlace(t, files)
	for _, inGit := range []bool{false, true} {
		if inGit {
			p.git("init", "-q")
		}
		got := p.must("tree", nil)
		if lines := strings.Count(got, "\n"); lines < treeLimit || lines > treeLimit+5 {
			t.Errorf("%d lines", lines)
		}
		for _, part := range []string{"zebra/\n", "… 1502 more", "2 directories, 2001 files\n"} {
			if !strings.Contains(got, part) {
				t.Errorf("in git %v: %q is missing", inGit, part)
			}
		}
	}
}

func TestTreeShowsStrangeNames(t *testing.T) {
	names := map[string]string{"new\nline": `new\nline`, "bell\a": "bell‹U+0007›", "rtl\u202egpj.exe": "rtl‹U+202E›gpj.exe", " -rf": " -rf", "ümläut": "ümläut", "not\xffutf8": "not\uFFFDutf8"}
	p := newPlace(t, nil)
	for name := range names {
		p.write(name, "")
	}
	for _, inGit := range []bool{false, true} {
		if inGit {
			p.git("init", "-q")
		}
		got := p.must("tree", nil)
		for _, shown := range names {
			if !strings.Contains(got, "── "+shown+"\n") {
				t.Errorf("in git %v: %q is missing in\n%s", inGit, shown, got)
			}
		}
	}
}

func TestTreeShowsSubmodulesAsDirectories(t *testing.T) {
	inner, p := newPlace(t, map[string]string{"f": ""}), newPlace(t, map[string]string{"own": ""})
	inner.git("init", "-q")
	inner.git("add", ".")
	inner.git("commit", "-qm", "x")
	p.git("init", "-q")
	p.git("submodule", "--quiet", "add", inner.dir, "mod")
	p.write("nested/f", "")
	nested := newPlace(t, nil)
	nested.dir = filepath.Join(p.dir, "nested")
	nested.git("init", "-q")
	nested.git("add", ".")
	nested.git("commit", "-qm", "x")
	want := ".\n├── .gitmodules\n├── mod/\n│   └── f\n├── nested/\n│   └── f\n└── own\n"
	if got := p.must("tree", nil); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
}

func TestTreeErrors(t *testing.T) {
	p := newPlace(t, map[string]string{"file.txt": ""})
	p.refused("tree", map[string]any{"path": "none"}, "file.txt")
	p.refused("tree", map[string]any{"path": "file.txt"}, "not a directory")
	p.env.Dir = filepath.Join(p.dir, "gone")
	p.refused("tree", nil, "no such file")
}
