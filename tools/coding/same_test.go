package coding

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/tools"
)

// odd makes a project that is difficult for search tools: submodules, nested repositories, names
// with brackets, tracked but ignored files, long lines, and other encodings.
func odd(t *testing.T, p *place) {
	t.Helper()
	searching := p.env.Environ
	p.env.Environ = append(slices.Clone(searching), "PATH="+os.Getenv("PATH")) // git's own scripts need other programs
	defer func() { p.env.Environ = searching }()
	long := strings.Repeat("x", 200_000)
	for name, text := range map[string]string{
		"main.go": "package main\nneedle\n", "src/a.ts": "needle\n", "src/deep/b.ts": "needle\nother\n", "web/src/c.ts": "needle\n",
		"app/[locale]/(auth)/[[...slug]]/page.tsx": "needle\n", "app/{id}.ts": "needle\n", "app/!note.txt": "needle\n", "app/a b.txt": "needle\n",
		"crlf.txt": "one needle\r\ntwo\r\n", "long.min.js": long + " needle " + long + "\n", "wide.txt": "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00\n\x00", "mark.txt": "\xef\xbb\xbfneedle\n",
		"word.txt": "naïve needle 12 ٣\n", "bin.dat": "needle\x00\x01", "empty.txt": "",
		".gitignore": "scripts/*\nbuild/\n*.log\n", "scripts/w.py": "needle\n", "scripts/kept.py": "needle\n", "build/out.txt": "needle\n", "a.log": "needle\n",
		".hidden/h.txt": "needle\n", "node_modules/m/i.js": "needle\n", "src/.ignore": "deep\n", "-rf": "needle\n",
	} {
		p.write(name, text)
	}
	inner := newPlace(t, map[string]string{"lib/s.txt": "needle\n", ".gitignore": "out\n"})
	inner.git("init", "-q", "-b", "main")
	inner.git("add", ".")
	inner.git("commit", "-qm", "x")
	p.git("init", "-q", "-b", "main")
	p.git("submodule", "--quiet", "add", inner.dir, "mod")
	p.write("mod/new.txt", "needle\n")
	p.write("mod/out", "needle\n")
	clone := exec.Command("git", "clone", "-q", inner.dir, filepath.Join(p.dir, "nested"))
	clone.Env = p.env.Environ
	if out, err := clone.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.write("nested/out", "needle\n")
	p.git("add", "-f", "scripts/kept.py", "main.go", "crlf.txt")
	if err := os.Symlink("main.go", filepath.Join(p.dir, "link.go")); err != nil {
		t.Fatal(err)
	}
}

// The search tools give the same results with and without ripgrep, and they see the same files as
// the completion of @.
func TestSearchesAgree(t *testing.T) {
	all := "-rf .hidden/h.txt app/!note.txt app/[locale]/(auth)/[[...slug]]/page.tsx app/a b.txt app/{id}.ts crlf.txt long.min.js main.go mark.txt " +
		"mod/lib/s.txt mod/new.txt nested/lib/s.txt scripts/kept.py src/a.ts src/deep/b.ts web/src/c.ts wide.txt word.txt"
	page := "app/[locale]/(auth)/[[...slug]]/page.tsx"
	engines(t, func(t *testing.T, start func(map[string]string) *place) {
		p := start(nil)
		odd(t, p)
		for n, row := range []struct {
			pattern, glob, path string
			want                string
		}{
			{"needle", "", "", all},
			{"needle", "*.go", "", "main.go"},
			{"needle", "*.ts", "", "app/{id}.ts src/a.ts src/deep/b.ts web/src/c.ts"},
			{"needle", "src/**", "", "src/a.ts src/deep/b.ts"},
			{"needle", "./src/**", "", "src/a.ts src/deep/b.ts"},
			{"needle", "/src/**", "", "src/a.ts src/deep/b.ts"},
			{"needle", "src/", "", "src/a.ts src/deep/b.ts web/src/c.ts"},
			{"needle", "src", "", "src/a.ts src/deep/b.ts web/src/c.ts"},
			{"needle", "src/*", "", "src/a.ts src/deep/b.ts"},
			{"needle", "web/src", "", "web/src/c.ts"},
			{"needle", "**/deep", "", "src/deep/b.ts"},
			{"needle", "deep/**", "src", "src/deep/b.ts"},
			{"needle", "src/deep/*.ts", "src", "src/deep/b.ts"},
			{"needle", "app/[locale]/**", "", page},
			{"needle", page, "", page},
			{"needle", "page.tsx", "", page},
			{"needle", "{id}.ts", "", "app/{id}.ts"},
			{"needle", "app/{id}.ts", "", "app/{id}.ts"},
			{"needle", "*.{tsx,go}", "", page + " main.go"},
			{"needle", "!note.txt", "app", "app/!note.txt " + page + " app/a b.txt app/{id}.ts"},
			{"needle", "a b.txt", "", "app/a b.txt"},
			{"needle", "!*.ts", "src", ""},
			{"needle", "!src/**", "web", ""},
			{"needle", "-rf", "", "-rf"},
			{"needle", "", "mod", "mod/lib/s.txt mod/new.txt"},
			{"needle", "", "mod/lib", "mod/lib/s.txt"},
			{"needle", "", "mod/lib/s.txt", "mod/lib/s.txt"},
			{"needle", "", "nested", "nested/lib/s.txt"},
			{"needle", "s.txt", "", "mod/lib/s.txt nested/lib/s.txt"},
			{"needle", "", "mod/out", "mod/out"},
			{"needle", "", "scripts", "scripts/kept.py"},
			{"needle", "", "scripts/w.py", "scripts/w.py"},
			{"needle", "", "build", "build/out.txt"},
			{"needle", "", "node_modules", "node_modules/m/i.js"},
			{"needle", "*.log", "", ""},
			{"needle", "", ".hidden", ".hidden/h.txt"},
			{"needle$", "", "", strings.NewReplacer("long.min.js ", "", " word.txt", "").Replace(all)},
			{"needle$", "crlf.txt", "", "crlf.txt"},
			{"^needle", "mark.txt", "", "mark.txt"},
			{"needle", "wide.txt", "", "wide.txt"},
			{"needle x", "", "", "long.min.js"},
			{`na\wve`, "", "", "word.txt"},
			{`\d \d`, "", "", "word.txt"},
			{`\d+ \d$`, "", "", "word.txt"},
			{`[\w]+ needle`, "", "", "crlf.txt long.min.js word.txt"},
			{`\W12`, "", "", "word.txt"},
			{"(?i)NEEDLE", "*.go", "", "main.go"},
			{"other", "", "", "src/deep/b.ts"},
			{"nothing like it", "", "", ""},
			{"needle", "empty.txt", "", ""},
			{"needle", "bin.dat", "", ""},
			{"needle", "link.go", "", ""},
		} {
			if testing.Short() && n > 0 && (n%2 == 0) == strings.HasSuffix(t.Name(), "/regexp") {
				continue // each row with one of the two engines
			}
			args := map[string]any{"pattern": row.pattern, "show": "files", "max_results": 200}
			if row.glob != "" {
				args["glob_filter"] = row.glob
			}
			if row.path != "" {
				args["path"] = row.path
			}
			if got := strings.Join(listedIn(p.must("code_grep", args)), " "); got != row.want {
				t.Errorf("code_grep %v: %s, want %s", args, got, row.want)
			}
		}
		files := all + " .gitignore .gitmodules bin.dat empty.txt link.go mod/.gitignore nested/.gitignore src/.ignore"
		want := strings.Fields(strings.ReplaceAll(files, "a b.txt", "a_b.txt"))
		slices.Sort(want)
		for n, row := range []struct{ pattern, path, want string }{
			{"*", "", strings.Join(want, " ")},
			{"s.txt", "", "mod/lib/s.txt nested/lib/s.txt"},
			{"*.txt", "mod", "mod/lib/s.txt mod/new.txt"},
			{page, "", page},
			{"app/[locale]/**", "", page},
			{"src/", "", "src/.ignore src/a.ts src/deep/b.ts web/src/c.ts"},
			{"{id}.ts", "", "app/{id}.ts"},
			{"!note", "", "app/!note.txt"},
		} {
			if testing.Short() && (n%2 == 0) == strings.HasSuffix(t.Name(), "/regexp") {
				continue // each row with one of the two engines
			}
			args := map[string]any{"pattern": row.pattern, "limit": 1000}
			if row.path != "" {
				args["path"] = row.path
			}
			found := listedIn(strings.ReplaceAll(p.must("find_files", args), "a b.txt", "a_b.txt"))
			slices.Sort(found)
			if got := strings.Join(found, " "); got != row.want {
				t.Errorf("find_files %v:\n%s, want\n%s", args, got, row.want)
			}
		}
		var offered []string
		if err := EachPath(t.Context(), p.dir, tools.Distrust(p.env.Environ, p.dir), func(path []byte) bool {
			offered = append(offered, strings.ReplaceAll(string(path), "a b.txt", "a_b.txt"))
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if slices.Sort(offered); !slices.Equal(offered, want) {
			t.Errorf("@ offers %q", offered)
		}
		tree := p.must("tree", map[string]any{"depth": 10})
		for _, name := range want {
			if base := strings.ReplaceAll(name[strings.LastIndexByte(name, '/')+1:], "a_b", "a b"); !strings.Contains(tree, "── "+base) {
				t.Errorf("the tree lacks %s:\n%s", name, tree)
			}
		}
		for _, text := range []string{tree, p.must("code_grep", map[string]any{"pattern": "needle"}), p.must("find_files", map[string]any{"pattern": "nothing"})} {
			if !strings.Contains(text, "git ignores (a.log, build/, mod/out, …)") && !strings.Contains(text, "5 paths that git ignores") {
				t.Errorf("what git ignores is not named: %s", text)
			}
		}
		for _, pattern := range []string{"needle", "^needle$"} {
			if text := p.must("code_grep", map[string]any{"pattern": pattern}); !strings.Contains(text, "matches in 1 binary file (bin.dat)") {
				t.Errorf("the binary file is not named for %s: %s", pattern, text)
			}
		}
	})
}

// listedIn returns the names in a list of files.
func listedIn(text string) (names []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "[") && !strings.HasPrefix(line, "No ") {
			names = append(names, line)
		}
	}
	slices.Sort(names)
	return names
}
