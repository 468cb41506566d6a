package coding

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSearchByTypeNamesCountsAndOverLines(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{
			"a.py": "def f():\n    hit()\n    hit()\n", "b.pyi": "hit\n", "c.go": "hit\nHIT\n", "sub/d.py": "no\n", "sub/e.ts": "type A = {\n  hit: 1\n}\ntype B = {}\n", "z.tsx": "x\n",
		})
		for _, test := range []struct {
			args map[string]any
			want string
		}{
			{map[string]any{"pattern": "hit", "file_type": "py", "show": "files"}, "a.py\nb.pyi\n"},
			{map[string]any{"pattern": "hit", "type": "py", "glob_filter": "a*", "show": "files"}, "a.py\n"},
			{map[string]any{"pattern": "hit", "type": ".ts", "output_mode": "files_with_matches"}, "sub/e.ts\n"},
			{map[string]any{"pattern": "hit", "show": "counts"}, "    2  a.py\n    1  b.pyi\n    1  c.go\n    1  sub/e.ts\n"},
			{map[string]any{"pattern": "hit", "output_mode": "count", "max_results": 2}, "    2  a.py\n    1  b.pyi\n[the first 2 files; there are more: narrow the pattern, path or glob_filter, or raise max_results]\n"},
			{map[string]any{"pattern": "hit", "ignore_case": true, "type": "go", "show": "counts"}, "    2  c.go\n"},
			{map[string]any{"pattern": `A = \{.*?hit`, "multiline": true, "context": 1}, "sub/e.ts:1\n>    1  type A = {\n>    2    hit: 1\n     3  }\n"},
			{map[string]any{"pattern": `def[^\n]*\n[^\n]*hit`, "multiline": true, "context": 0}, "a.py:1\n>    1  def f():\n>    2      hit()\n"},
			{map[string]any{"pattern": "nowhere", "file_type": "rust", "show": "files"}, "No matches for \"nowhere\" in the working directory, type rust\n"},
		} {
			if got := p.must("code_grep", test.args); got != test.want {
				t.Errorf("%v:\n%s, not\n%s", test.args, got, test.want)
			}
		}
	})
}

func TestFilesAreFoundByNameTheNewestFirst(t *testing.T) {
	files := map[string]string{".gitignore": "built/\n*.log\n", "built/x.go": "", "a.log": ""}
	names := []string{"main.go", "sub/util.go", "sub/deep/util_test.go", "README.md", "web/view.tsx"}
	for _, name := range names {
		files[name] = "x"
	}
	p := newPlace(t, files)
	p.git("init", "-q")
	for i, name := range names { // the first file is the newest
		at := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(filepath.Join(p.dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"pattern": "*.go"}, "main.go\nsub/util.go\nsub/deep/util_test.go\n"},
		{map[string]any{"pattern": "sub/*.go"}, "sub/util.go\n"},
		{map[string]any{"pattern": "**/*.{tsx,md}"}, "README.md\nweb/view.tsx\n"},
		{map[string]any{"pattern": "util"}, "sub/util.go\nsub/deep/util_test.go\n"},
		{map[string]any{"glob": "*.go", "path": "sub/deep"}, "sub/deep/util_test.go\n"},
		{map[string]any{"pattern": "deep/*", "path": "sub"}, "sub/deep/util_test.go\n"},
		{map[string]any{"pattern": filepath.Join(p.dir, "sub", "**")}, "sub/util.go\nsub/deep/util_test.go\n"},
		{map[string]any{"pattern": "*.go", "limit": 1}, "main.go\n[the newest 1 of 3 files that match]\n"},
		{map[string]any{"pattern": "*.log"}, "No file matches \"*.log\"\n"},
		{map[string]any{"pattern": "x.go"}, "No file matches \"x.go\"\n"},
	} {
		got, _, _ := strings.Cut(p.must("find_files", test.args), "[left out: 2 paths that git ignores")
		if got != test.want {
			t.Errorf("%v: %q, not %q", test.args, got, test.want)
		}
	}
	p.refused("find_files", map[string]any{"pattern": " "}, "empty")
	p.refused("find_files", map[string]any{"pattern": "*", "path": ".."}, "outside")
	p.refused("find_files", map[string]any{"pattern": "*", "path": "none"}, "none")
}

// A link that leads out of the directory is not found.
func TestFindsNothingOutside(t *testing.T) {
	p := newPlace(t, map[string]string{"in.txt": ""})
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "out.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(p.dir, "link")); err != nil {
		t.Fatal(err)
	}
	if got := p.must("find_files", map[string]any{"pattern": "*.txt"}); got != "in.txt\n" {
		t.Error(got)
	}
	for i := range 1500 {
		p.write(fmt.Sprintf("many/%d.md", i), "")
	}
	got := p.must("find_files", map[string]any{"pattern": "*.md", "limit": 5000})
	if strings.Count(got, "\n") != 1001 || !strings.HasSuffix(got, "[the newest 1000 of 1500 files that match]\n") {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}
