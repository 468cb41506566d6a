package coding

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marvin/persistence/disktest"
	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// program adds a program before all others on the PATH of a place.
func (p *place) program(name, script string) {
	p.t.Helper()
	bin := filepath.Join(p.env.Home, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := disktest.WriteProgram(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		p.t.Fatal(err)
	}
	p.env.Environ = append(p.env.Environ, "PATH="+bin+":"+os.Getenv("PATH"))
}

func TestProjectToolFailures(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	calls := []struct {
		name string
		args map[string]any
	}{
		{"tree", map[string]any{}},
		{"tree", map[string]any{"respect_gitignore": false, "max_depth": 1}},
		{"find_files", map[string]any{"pattern": "*.go"}},
		{"find_files", map[string]any{"pattern": "b", "path": "sub", "limit": 1}},
		{"code_grep", map[string]any{"pattern": "needle"}},
		{"code_grep", map[string]any{"pattern": "needle", "path": "sub/b.go"}},
		{"code_grep", map[string]any{"pattern": "("}},
		{"tree", map[string]any{"path": "a.go"}},
		{"tree", map[string]any{"path": "none"}},
		{"find_files", map[string]any{"pattern": "a", "path": "a.go"}},
		{"find_files", map[string]any{"pattern": "[a"}},
		{"find_files", map[string]any{"pattern": " "}},
		{"code_grep", map[string]any{"pattern": "needle", "path": "none"}},
		{"code_grep", map[string]any{"pattern": "", "path": "sub"}},
		{"code_grep", map[string]any{"pattern": "a", "glob_filter": "[a"}},
	}
	files := map[string]string{"a.go": "needle\n", "sub/b.go": "hay\nneedle\n", "sub/deep/c.go": "needle\n", "node_modules/x.go": "needle\n"}
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("the person said stop"))
	breaks := func(what string) string {
		return "case \" $* \" in *' " + what + " '*) echo 'fatal: broken on purpose' >&2; exit 128 ;; esac\nexec " + git + " \"$@\""
	}
	var out strings.Builder
	for at, row := range []struct {
		what    string
		prepare func(p *place)
	}{
		{"nothing fails", func(*place) {}},
		{"in a repository", func(p *place) { p.git("init", "-q"); p.write(".gitignore", "deep\n") }},
		{"stopped", nil},
		{"no directory", func(p *place) { p.env.Dir = "" }},
		{"git cannot list", func(p *place) { p.git("init", "-q"); p.program("git", breaks("--cached")) }},
		{"git cannot list what is gone", func(p *place) { p.git("init", "-q"); p.program("git", breaks("--deleted")) }},
		{"no ripgrep", func(p *place) { p.env.Environ = append(p.env.Environ, "PATH="+t.TempDir()) }},
		{"ripgrep fails", func(p *place) {
			p.program("rg", "echo 'rg: ./a.go: Permission denied (os error 13)' >&2; exit 2")
		}},
		{"ripgrep fails without a word", func(p *place) { p.program("rg", "exit 2") }},
		{"ripgrep fails in part", func(p *place) {
			p.program("rg", `printf 'a.go\0001:needle\nnone.go\0001:gone\n'; echo 'rg: sub: broken' >&2; exit 2`)
		}},
		{"ripgrep prints what is no match", func(p *place) { p.program("rg", `printf 'garbage\n--\na.go\000x:needle\na.go\000needle\n'`) }},
	} {
		fmt.Fprintf(&out, "# %s\n", row.what)
		for i, call := range calls {
			if i > 6 && at > 0 { // refused before git runs
				break
			}
			if strings.HasPrefix(row.what, "ripgrep") && call.name != "code_grep" || strings.HasPrefix(row.what, "git") && call.name == "code_grep" {
				continue
			}
			p, ctx := newPlace(t, files), t.Context()
			for name := range files { // files with the same time are sorted by name
				if err := os.Chtimes(filepath.Join(p.dir, name), time.Time{}, time.Unix(1_700_000_000, 0)); err != nil {
					t.Fatal(err)
				}
			}
			if row.prepare == nil {
				ctx = stopped
			} else {
				row.prepare(p)
			}
			output, err := p.decoded(call.name, call.args).Run(ctx, p.env)
			said := fmt.Sprintf("%s %v: empty %t %q, %v\n", call.name, call.args, output.Empty, output.Text, err)
			out.WriteString(strings.ReplaceAll(strings.ReplaceAll(said, p.dir, "DIR"), p.env.Home, "HOME"))
			toolstest.NothingOpen(t, p.dir, fmt.Sprint(row.what, ", ", call))
		}
	}
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("rg is not installed")
	}
	goldentest.Assert(t, "failing.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestPathListingFailures(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("the person said stop"))
	for _, row := range []struct {
		what    string
		ctx     context.Context
		prepare func(p *place)
		most    int
		want    string
	}{
		{"all", t.Context(), func(*place) {}, 9, "a b/c b/d <nil>"},
		{"some", t.Context(), func(*place) {}, 2, "a b/c <nil>"},
		{"some of a repository", t.Context(), func(p *place) { p.git("init", "-q"); p.git("add", "a", "b/c") }, 2, "a b/c <nil>"},
		{"what is new, too", t.Context(), func(p *place) { p.git("init", "-q"); p.git("add", "b/d") }, 2, "a b/d <nil>"},
		{"one, and what is new", t.Context(), func(p *place) { p.git("init", "-q"); p.git("add", "b") }, 9, "a b/c b/d <nil>"},
		{"stopped", stopped, func(*place) {}, 9, " the person said stop"},
		{"no such directory", t.Context(), func(p *place) { p.dir += "/none" }, 9, " *no such file or directory*"},
		{"git fails", t.Context(), func(p *place) {
			p.git("init", "-q")
			p.program("git", "case \" $* \" in *' --others '*) echo 'fatal: broken on purpose' >&2; exit 128 ;; esac\nexec "+git+" \"$@\"")
		}, 9, " *broken on purpose*"},
	} {
		p := newPlace(t, map[string]string{"a": "", "b/c": "", "b/d": "", "node_modules/x": ""})
		if err := os.RemoveAll(filepath.Join(p.dir, "node_modules")); row.what != "all" && err != nil {
			t.Fatal(err)
		}
		row.prepare(p)
		var names []string
		err := EachPath(row.ctx, p.dir, p.env.Environ, func(path []byte) bool {
			names = append(names, string(path))
			return len(names) < row.most
		})
		slices.Sort(names)
		got := strings.Join(names, " ") + " " + fmt.Sprint(err)
		if ok := got == row.want; !ok && !regexp.MustCompile("(?s)^"+strings.ReplaceAll(row.want, "*", ".*")+"$").MatchString(got) {
			t.Errorf("%s: %s, want %s", row.what, got, row.want)
		}
		toolstest.NothingOpen(t, p.dir, row.what)
	}
}

func TestArchiveSearchLimits(t *testing.T) {
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for i := range mostSearched + 2 {
		file, err := archive.Create(fmt.Sprintf("d/%04d.txt", i))
		if err == nil {
			_, err = fmt.Fprintf(file, "needle %d\n", i)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, map[string]string{"x.zip": packed.String(), "broken.zip": packed.String()[:200]})
	for _, row := range []struct {
		args  map[string]any
		empty bool
		want  string
	}{
		{map[string]any{"pattern": "none", "path": "x.zip!/"}, false, "No matches for \"none\" in x.zip!/\n[only 500 of 502 members were searched; name a member, or give a glob_filter]\n"},
		{map[string]any{"pattern": "none", "path": "x.zip!/d"}, false, "No matches for \"none\" in x.zip!/d\n[only 500 of 502 members were searched; name a member, or give a glob_filter]\n"},
		{map[string]any{"pattern": "none", "path": "x.zip!/d", "glob_filter": "*1.txt"}, true, "No matches for \"none\" in x.zip!/d, files *1.txt\n"},
		{map[string]any{"pattern": "needle 501", "path": "x.zip!/d/0501.txt", "context_lines": 0}, false, "x.zip!/d/0501.txt:1\n>    1  needle 501\n"},
		{map[string]any{"pattern": "none", "path": "x.zip!/d/0501.txt", "glob_filter": "*.go", "type": "go"}, true, "No matches for \"none\" in x.zip!/d/0501.txt\n"},
		{map[string]any{"pattern": "needle", "path": "x.zip!/", "show": "counts", "max_results": 2}, false, "    1  x.zip!/d/0000.txt\n    1  x.zip!/d/0001.txt\n[the first 2 files; there are more: narrow the pattern, path or glob_filter, or raise max_results]\n"},
		{map[string]any{"pattern": "(", "path": "x.zip!/"}, false, "! the pattern is not a regular expression: "},
		{map[string]any{"pattern": "a", "path": "x.zip!/e"}, false, "! "},
		{map[string]any{"pattern": "a", "path": "broken.zip!/d"}, false, "! "},
		{map[string]any{"pattern": "a", "path": "none.zip!/d"}, false, "! "},
	} {
		var output tools.Output
		var err error
		synctest.Test(t, func(t *testing.T) { // a search in an archive ends after ten seconds, which never pass in virtual time
			output, err = p.decoded("code_grep", row.args).Run(t.Context(), p.env)
		})
		got := output.Text
		if err != nil {
			got = "! " + err.Error()
		}
		if got != row.want && !(strings.HasPrefix(row.want, "! ") && strings.HasPrefix(got, row.want)) || output.Empty != row.empty {
			t.Errorf("%v: empty %t %q, want %q", row.args, output.Empty, got, row.want)
		}
		toolstest.NothingOpen(t, p.dir, fmt.Sprint(row.args))
	}
	var s splitter
	var parts []string
	s = splitter{separator: ';', each: func(part []byte) bool { parts = append(parts, string(part)); return string(part) != "end" }}
	for _, row := range []struct {
		text string
		n    int
		err  error
	}{{"a", 1, nil}, {"b;", 2, nil}, {";c;d", 4, nil}, {"", 0, nil}, {"e;end;never;", 0, errEnough}} {
		if n, err := s.Write([]byte(row.text)); n != row.n || !errors.Is(err, row.err) {
			t.Errorf("%q: %d, %v", row.text, n, err)
		}
	}
	if got := strings.Join(parts, "|"); got != "ab||c|de|end" {
		t.Error(got)
	}
}
