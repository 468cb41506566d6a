package github

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// cloneOf makes a directory like the clone of x/y, and a secret outside it.
func cloneOf(t *testing.T, env tools.Env, files map[string]string) (dir string) {
	t.Helper()
	dir = filepath.Join(env.Home, clonesName, "x", "y")
	write(t, filepath.Join(env.Home, "secret"), "S3cr3t")
	write(t, filepath.Join(env.Home, clonesName, "x", "yy", "secret"), "S3cr3t") // x/y is a prefix of this path
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	for name, target := range map[string]string{"link": "../../../secret", "up": "../../..", "abs": filepath.Join(env.Home, "secret"), "inside": "a.txt"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadShowsLines(t *testing.T) {
	env := machine(t, "")
	big := strings.Repeat("0123456789\n", 60_000) // 660,000 bytes; earlier Marvins refused more than 512,000
	cloneOf(t, env, map[string]string{"a.txt": "one\ntwo\nthree\u202e\n", "dir/b.go": "package b\n", "big.txt": big, "empty": "", "bin": "\x7fELF\x00\x01", ".git/config": "[core]\n"})
	for args, want := range map[string]string{
		`"path":"a.txt"`:                         "x/y: a.txt (17 bytes)\n    1 | one\n    2 | two\n    3 | three‹U+202E›\n",
		`"path":"/a.txt","start_line":2,"end":2`: "x/y: a.txt (17 bytes)\n    2 | two\n",
		`"path":"inside","start":3,"end":99`:     "x/y: a.txt (17 bytes)\n    3 | three‹U+202E›\n",
		`"path":"big.txt","start":59999`:         "x/y: big.txt (660,000 bytes)\n59999 | 0123456789\n60000 | 0123456789\n",
		`"path":"empty"`:                         "x/y: empty (0 bytes)\n[the file is empty]\n",
		`"path":"dir"`:                           "x/y: dir (1 entry)\nb.go (10 bytes)\n",
	} {
		if got, err := call(t, env, "github_read_file", `{"repo":"x/y",`+args+`}`); err != nil || got != want {
			t.Errorf("%s: %v\n%q", args, err, got)
		}
	}
	got, err := call(t, env, "github_read_file", `{"repo":"x/y","path":"big.txt"}`)
	if err != nil || !strings.HasSuffix(got, "[the rest does not fit; continue with \"start\": 1901]\n") {
		t.Errorf("%v, %.200q", err, got[max(0, len(got)-200):])
	}
	for _, root := range []string{".", "", "/"} {
		got, err := call(t, env, "github_read_file", `{"repo":"x/y","path":"`+root+`"}`)
		if err != nil || !strings.Contains(got, "\ndir/\n") || !strings.Contains(got, "\nlink (link)\n") || strings.Contains(got, ".git") {
			t.Errorf("%q: %v\n%s", root, err, got)
		}
	}
	for args, want := range map[string]string{
		`"path":"bin"`: "binary data", `"path":"a.txt","start":9`: "has no line 9", `"path":"a.txt","start":3,"end":2`: "Swap the two numbers", `"path":"a.tx"`: "a.txt",
	} {
		_, err := call(t, env, "github_read_file", `{"repo":"x/y",`+args+`}`)
		toolstest.CheckError(t, err, want)
	}
}

func TestNothingLeadsOutOfAClone(t *testing.T) {
	for _, programs := range [][]string{{"rg"}, nil} {
		env := machine(t, "", programs...)
		cloneOf(t, env, map[string]string{"a.txt": "x\n"})
		for _, path := range []string{"link", "abs", "up/secret", "../yy/secret", "../../../secret", filepath.Join(env.Home, "secret"), "up", ".."} {
			for name, args := range map[string]string{"github_read_file": `{"repo":"x/y","path":"` + path + `"}`, "github_grep": `{"repo":"x/y","path":"` + path + `","pattern":"."}`} {
				got, err := call(t, env, name, args)
				if err == nil || strings.Contains(got, "S3cr3t") {
					t.Errorf("%s %s: %q, %v", name, path, got, err)
				}
			}
		}
		got, err := call(t, env, "github_grep", `{"repo":"x/y","pattern":"."}`)
		if err != nil || got != "a.txt:1:x\n" {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestAnOwnerThatIsALinkIsNotFollowed(t *testing.T) {
	env := machine(t, "")
	write(t, filepath.Join(env.Home, "private", "y", "a.txt"), "S3cr3t")
	if err := os.MkdirAll(filepath.Join(env.Home, clonesName), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../private", filepath.Join(env.Home, clonesName, "x")); err != nil {
		t.Fatal(err)
	}
	if got, err := call(t, env, "github_read_file", `{"repo":"x/y","path":"a.txt"}`); err == nil {
		t.Errorf("got %q", got)
	}
}

func TestReadRefusals(t *testing.T) {
	env := machine(t, "")
	_, err := call(t, env, "github_read_file", `{"repo":"x/y","path":"."}`)
	toolstest.CheckError(t, err, "x/y is not cloned", "github_clone")
	cloneOf(t, env, map[string]string{"a.txt": ""})
	_, err = call(t, env, "github_grep", `{"repo":"x/z","pattern":"."}`)
	toolstest.CheckError(t, err, "x/z is not cloned", "Cloned are: x/y")
	_, err = call(t, env, "github_grep", `{"repo":"../..","pattern":"."}`)
	toolstest.CheckError(t, err, "is not a repository on GitHub")
}

func TestGrep(t *testing.T) {
	for _, programs := range [][]string{{"rg"}, nil} {
		env := machine(t, "", programs...)
		cloneOf(t, env, map[string]string{
			"a.go": "package a\n\tfunc A() {}\n-- x\n", "b.go": strings.Repeat("func B() {}\n", 5), "sub/c.txt": "func C\u202e\r\n", "min.js": "func" + strings.Repeat("x", 5000) + "\n",
			".git/x": "func hidden\n", ".github/w.yml": "func D\n", ".gitignore": "sub\n", "bin": "func\x00",
		})
		for args, want := range map[string]string{
			`"pattern":"func [A-C]","max_results":3`:      "a.go:2:func A() {}\nb.go:1:func B() {}\nb.go:2:func B() {}\n[the first 3; there are more: narrow the pattern, path or glob_filter, or raise max_results]\n",
			`"pattern":"func [ACD]","glob":"*.{txt,yml}"`: ".github/w.yml:1:func D\nsub/c.txt:1:func C‹U+202E›\n",
			`"pattern":"func [ACD]","glob":"!*.go"`:       ".github/w.yml:1:func D\nsub/c.txt:1:func C‹U+202E›\n",
			`"pattern":"func","path":"sub"`:               "sub/c.txt:1:func C‹U+202E›\n",
			`"pattern":"func","path":"a.go"`:              "a.go:2:func A() {}\n",
			`"pattern":"-- x"`:                            "a.go:3:-- x\n",
			`"pattern":"--version"`:                       "No matches for \"--version\" in x/y\n",
			`"pattern":"hidden"`:                          "No matches for \"hidden\" in x/y\n",
		} {
			if got, err := call(t, env, "github_grep", `{"repo":"x/y",`+args+`}`); err != nil || got != want {
				t.Errorf("%v %s: %v\n%s", programs, args, err, got)
			}
		}
		got, err := call(t, env, "github_grep", `{"repo":"x/y","pattern":"funcx"}`)
		if err != nil || len(got) > 400 || !strings.Contains(got, "[… long line]") {
			t.Errorf("%v: %d bytes, %v", programs, len(got), err)
		}
		for args, want := range map[string]string{`"pattern":"a("`: "not a regular expression", `"pattern":"(a{1000}){900}"`: "not a regular expression", `"pattern":""`: "pattern is empty", `"pattern":"x","glob":"a\\"`: "glob_filter", `"pattern":"x","path":"nowhere"`: "nowhere"} {
			_, err := call(t, env, "github_grep", `{"repo":"x/y",`+args+`}`)
			toolstest.CheckError(t, err, want)
		}
	}
}
