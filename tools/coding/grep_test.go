package coding

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/disktest"
)

// engines runs a test without ripgrep, and with ripgrep if it is installed.
func engines(t *testing.T, test func(*testing.T, func(files map[string]string) *place)) {
	t.Run("ripgrep", func(t *testing.T) {
		if _, err := exec.LookPath("rg"); err != nil {
			t.Skip("ripgrep is not installed: apt-get install ripgrep")
		}
		test(t, func(files map[string]string) *place { return newPlace(t, files) })
	})
	t.Run("regexp", func(t *testing.T) {
		test(t, func(files map[string]string) *place {
			p := newPlace(t, files)
			bin := t.TempDir() // a PATH that contains only git
			git, err := exec.LookPath("git")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(git, filepath.Join(bin, "git")); err != nil {
				t.Fatal(err)
			}
			p.env.Environ = append(p.env.Environ, "PATH="+bin)
			return p
		})
	})
}

func TestGrepShowsBlocks(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{
			"a.go":     "1\n2\nhit three\n4\n5\n6\n7\nhit eight\r\n9\nhit ten\n",
			"sub/b.go": "hit\n",
			"c.txt":    "nothing\n",
		})
		got := p.must("code_grep", map[string]any{"pattern": "^hit", "context_lines": 1})
		want := `a.go:3
     2  2
>    3  hit three
     4  4

a.go:8
     7  7
>    8  hit eight
     9  9
>   10  hit ten

sub/b.go:1
>    1  hit
`
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if got := p.must("code_grep", map[string]any{"pattern": "hit", "path": "sub/b.go", "glob_filter": "*.txt"}); got != "sub/b.go:1\n>    1  hit\n" {
			t.Errorf("one file: %s", got)
		}
		if got := p.must("code_grep", map[string]any{"pattern": "HIT"}); got != "No matches for \"HIT\" in the working directory\n" {
			t.Errorf("another case: %s", got)
		}
		if got := p.must("code_grep", map[string]any{"pattern": "(?i)HIT", "path": "sub"}); !strings.HasPrefix(got, "sub/b.go:1\n") {
			t.Errorf("without case: %s", got)
		}
	})
}

func TestGrepStopsAtTheTotal(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{"a.txt": strings.Repeat("hit\n-\n", 50), "b.txt": strings.Repeat("hit\n", 50000)})
		got := p.must("code_grep", map[string]any{"pattern": "hit", "max_results": 3, "context_lines": 1})
		want := "a.txt:1\n>    1  hit\n     2  -\n>    3  hit\n     4  -\n>    5  hit\n     6  -\n" +
			"[the first 3 matches; there are more: narrow the pattern, path or glob_filter, or raise max_results]\n"
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		got = p.must("code_grep", map[string]any{"pattern": "hit", "max_results": 51, "context_lines": 0})
		if strings.Count(got, ">") != 51 || !strings.Contains(got, "b.txt:1\n") {
			t.Errorf("the limit is not for all files together: %d matches", strings.Count(got, ">"))
		}
	})
}

func TestGrepGlobs(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{"a.go": "x", "b.ts": "x", "src/c.go": "x", "src/deep/d.go": "x", ".github/w.yml": "x"})
		for glob, want := range map[string]string{
			"*": ".github/w.yml a.go b.ts src/c.go src/deep/d.go", "*.go": "a.go src/c.go src/deep/d.go", "*.{ts,yml}": ".github/w.yml b.ts",
			"src/**/*.go": "src/c.go src/deep/d.go", "src/*.go": "src/c.go", "!*.go": ".github/w.yml b.ts", "*.none": "",
		} {
			if got := strings.Join(places(p.must("code_grep", map[string]any{"pattern": "x", "glob": glob})), " "); got != want {
				t.Errorf("%s: %s, want %s", glob, got, want)
			}
		}
		p.refused("code_grep", map[string]any{"pattern": "x", "glob_filter": `a\`}, "glob_filter")
	})
}

// places returns the files of the blocks.
func places(text string) (files []string) {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutSuffix(line, ":1\n"); ok {
			files = append(files, name)
		}
	}
	return files
}

func TestGrepLeavesOutWhatGitIgnores(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{
			"kept.txt": "x", "new.txt": "x", "ignored.txt": "x", "build/out.txt": "x", "build/sub/out.txt": "x", ".gitignore": "ignored.txt\nbuild/\n",
			"node_modules/m/i.txt": "x", "venv/v.txt": "x", "Node_Modules/n/i.txt": "x", "a/__pycache__/c.txt": "x", ".tickets/t.txt": "x", "bin.txt": "x\x00x",
		})
		p.git("init", "-q")
		p.git("add", "kept.txt")
		p.write("venv/src/pkg/i.txt", "x") // as "pip install -e git+…" creates a repository
		p.git("init", "-q", "venv/src/pkg")
		for _, glob := range []string{"*", "*.txt"} {
			if got := strings.Join(places(p.must("code_grep", map[string]any{"pattern": "^x", "glob_filter": glob})), " "); got != "kept.txt new.txt" {
				t.Errorf("glob %s: %s", glob, got)
			}
		}
		// An ignored file is searched if the call names it.
		if got := places(p.must("code_grep", map[string]any{"pattern": "x", "path": "node_modules/m"})); len(got) != 1 {
			t.Errorf("a named directory: %v", got)
		}
	})
}

func TestGrepPatternsThatLookLikeOptions(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{"a.txt": "--files\n-e\n--pre=touch planted\n"})
		for pattern, want := range map[string]string{"--files": "a.txt:1\n", "-e": "a.txt:2\n", "--pre=touch planted": "a.txt:3\n"} {
			if got := p.must("code_grep", map[string]any{"pattern": pattern, "context_lines": 0}); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s", pattern, got)
			}
		}
		p.write("-name.txt", "dash\n")
		if got := p.must("code_grep", map[string]any{"pattern": "dash", "path": "-name.txt"}); !strings.HasPrefix(got, "-name.txt:1\n") {
			t.Errorf("a file with a dash: %s", got)
		}
	})
}

func TestGrepBadPatternsGetAdvice(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{"a.txt": "f(x)\n"})
		p.refused("code_grep", map[string]any{"pattern": "f(x"}, "not a regular expression", `{"pattern": "f\\(x"}`)
		p.refused("code_grep", map[string]any{"pattern": "a\nb"}, "not a regular expression")
		p.refused("code_grep", map[string]any{"pattern": ""}, "the pattern is empty")
		if got := p.must("code_grep", map[string]any{"pattern": `f\(x`}); !strings.HasPrefix(got, "a.txt:1\n") {
			t.Errorf("the advice does not help: %s", got)
		}
	})
}

// A pattern that needs a gigabyte is refused, with and without rg.
func TestGrepPatternsAreSmall(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{"a.txt": "aaaa\n"})
		for _, pattern := range []string{"a{1000}{1000}", "(a{1000}){900}"} {
			p.refused("code_grep", map[string]any{"pattern": pattern}, "not a regular expression")
		}
		if got := p.must("code_grep", map[string]any{"pattern": `[\pL\pN]{4}`}); !strings.Contains(got, "aaaa") {
			t.Errorf("an ordinary one finds %q", got)
		}
	})
}

func TestGrepStaysInside(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{"a.txt": "root\n"})
		if err := os.Symlink("/etc", filepath.Join(p.dir, "link")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/etc/passwd", filepath.Join(p.dir, "passwd")); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"..", "/etc", "link", "passwd", "link/passwd", "~"} {
			p.refused("code_grep", map[string]any{"pattern": "root", "path": path})
			p.refused("tree", map[string]any{"path": path})
		}
		if got := p.must("code_grep", map[string]any{"pattern": "root"}); got != "a.txt:1\n>    1  root\n" {
			t.Errorf("a link was followed: %s", got)
		}
		p.refused("code_grep", map[string]any{"pattern": "x", "path": "a.tx"}, "a.txt")
	})
}

func TestGrepEndsWithItsContext(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{"a.txt": strings.Repeat("line\n", 1000)})
		stopped := errors.New("the user said stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(stopped)
		for _, inGit := range []bool{false, true} {
			if inGit {
				p.git("init", "-q")
			}
			for name, args := range map[string]map[string]any{"code_grep": {"pattern": "none"}, "tree": {}} {
				if _, err := p.decoded(name, args).Run(ctx, p.env); !errors.Is(err, stopped) {
					t.Errorf("%s ended with %v", name, err)
				}
			}
		}
	})
}

func TestGrepInLongLinesAndBinaries(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{
			"min.js": "hit" + strings.Repeat("é", 1<<20) + "\nafter\n", "bin": "hit\x00hit\n", "latin.txt": "hit caf\xe9\n",
		})
		got := p.must("code_grep", map[string]any{"pattern": "hit"})
		if len(got) > 1200 || !strings.Contains(got, "[… long line]\n     2  after\n") || !strings.Contains(got, "hit caf\uFFFD\n") || strings.Contains(got, "bin:") {
			t.Errorf("%d bytes: %.300s", len(got), got)
		}
	})
}

func TestRipgrepConfigurationIsNotObeyed(t *testing.T) {
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("ripgrep is not installed: apt-get install ripgrep")
	}
	p := newPlace(t, map[string]string{"a.txt": "hit\n", "rc": "--files-without-match\n"})
	p.env.Environ = append(p.env.Environ, "RIPGREP_CONFIG_PATH="+filepath.Join(p.dir, "rc"))
	if got := p.must("code_grep", map[string]any{"pattern": "hit"}); !strings.HasPrefix(got, "a.txt:1\n") {
		t.Errorf("got %s", got)
	}
}

// Attack: a directory becomes a link while rg runs. The result must not show the target of the
// link.
func TestGrepShowsOnlyWhatIsInTheDirectory(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("one\nhit outside\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, map[string]string{"a.txt": "one\nhit inside\n"})
	if err := os.Symlink(outside, filepath.Join(p.env.Dir, "d")); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir() // this rg reports a file behind the link
	script := "#!/bin/sh\nprintf 'a.txt\\0002:hit inside\\na.txt\\0003:hit gone\\nd/secret\\0002:hit outside\\n'\n"
	if err := disktest.WriteProgram(filepath.Join(bin, "rg"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p.env.Environ = append(p.env.Environ, "PATH="+bin+":/usr/bin:/bin")
	got := p.must("code_grep", map[string]any{"pattern": "hit"})
	if got != "a.txt:2\n>    2  hit inside\n[2 matches are left out, because their files changed during the search]\n" {
		t.Error(got)
	}
}

func TestGrepFindsInEveryEncodingThatRipgrepReads(t *testing.T) {
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("ripgrep is not installed: apt-get install ripgrep")
	}
	long := "hit " + strings.Repeat("é", 600)
	p := newPlace(t, map[string]string{
		"mark.txt": "\xef\xbb\xbfhit first\n", "little.txt": "\xff\xfeh\x00i\x00t\x00\n\x00", "big.txt": "\xfe\xff\x00h\x00i\x00t\x00\n",
		"long.txt": long + "\n", "windows.txt": "one\r\nhit two\r\n", "broken.txt": "hit \xff\xfe byte\n", "no-end.txt": "hit end",
	})
	got := p.must("code_grep", map[string]any{"pattern": "hit", "context_lines": 0})
	for _, want := range []string{"mark.txt:1", "little.txt:1", "big.txt:1", "long.txt:1", "windows.txt:2", "broken.txt:1", "no-end.txt:1"} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "left out") {
		t.Error(got)
	}
}

func TestEmptySearchIsMarked(t *testing.T) {
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(map[string]string{"a.txt": "hit\n"})
		for pattern, empty := range map[string]bool{"hit": false, "unicorn": true} {
			output, err := p.decoded("code_grep", map[string]any{"pattern": pattern}).Run(t.Context(), p.env)
			if err != nil || output.Empty != empty {
				t.Errorf("%s: marked %v, %v: %s", pattern, output.Empty, err, output.Text)
			}
		}
	})
}
