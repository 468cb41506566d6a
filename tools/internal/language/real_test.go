package language

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/settings"
)

// real starts an installed server in a project with these files.
func real(t *testing.T, name string, files map[string]string) (*Session, string) {
	t.Helper()
	return realWith(t, name, nil, files)
}

// realWith starts a server with the user's settings.
func realWith(t *testing.T, name string, config map[string]any, files map[string]string) (*Session, string) {
	t.Helper()
	all := All(map[string]settings.Language{name: {Settings: config}})
	server := all[slices.IndexFunc(all, func(one Server) bool { return one.Name == name })]
	program, err := exec.LookPath(server.Command[0])
	if err != nil {
		t.Skip(err)
	}
	root := realDir(t)
	for file, content := range files {
		put(t, root, file, content)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	session, err := Start(ctx, server, Ground{
		Version: "test", Environ: os.Environ(), Root: root, Program: program, Read: os.ReadFile,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	return session, root
}

// realDir is a new directory, without links in its path.
func realDir(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func put(t *testing.T, root, file, content string) string {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// writes makes an edit like a tool: on the disk first, then to the server.
func writes(t *testing.T, s *Session, root, file, content string) Report {
	t.Helper()
	path := put(t, root, file, content)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	report, err := s.Check(ctx, []File{{Path: path, Content: []byte(content)}})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func said(list []messages.CodeProblem) string {
	var lines []string
	for _, one := range list {
		lines = append(lines, string(one.Severity)+" "+one.Path+" "+one.Text)
	}
	return strings.Join(lines, "\n")
}

// Each real server knows the whole project at its first request, not only opened files: a rename
// that misses some files would break them. It reports what an edit broke, drops it after the next
// edit, and finds definitions and uses.
func TestRealServers(t *testing.T) {
	for _, one := range []struct {
		name         string
		files        map[string]string
		file         string
		bad, good    string
		want         string // part of the problem's text
		use          Place  // the use of a name defined in file
		defined, now string // the place of the definition, and its line after a rename
	}{
		{
			"gopls",
			map[string]string{"go.mod": "module known\n\ngo 1.24\n", "lib/lib.go": "package lib\n\n// Twice doubles.\nfunc Twice(n int) int { return 2 * n }\n", "main.go": "package main\n\nimport \"known/lib\"\n\nfunc main() { println(lib.Twice(2)) }\n"},
			"main.go", "package main\n\nimport \"known/lib\"\n\nfunc main() { println(lib.Thrice(2)) }\n", "package main\n\nimport \"known/lib\"\n\nfunc main() { println(/* 🦊🦊 */ lib.Twice(4)) }\n",
			"undefined: lib.Thrice",
			Place{Line: 5, Name: "Twice"},
			"lib/lib.go:4", "func Doubled(n int) int { return 2 * n }",
		},
		{
			"typescript",
			map[string]string{"tsconfig.json": `{"compilerOptions":{"strict":true},"include":["*.ts"]}`, "lib.ts": "export function twice(n: number): number { return 2 * n }\n", "main.ts": "import { twice } from './lib'\nconsole.log(twice(2))\n"},
			"main.ts", "import { twice } from './lib'\nconsole.log(twice('two'))\n", "import { twice } from './lib'\nconsole.log('🦊🦊', twice(4))\n",
			"not assignable to parameter",
			Place{Line: 2, Name: "twice"},
			"lib.ts:1", "export function Doubled(n: number): number { return 2 * n }",
		},
		{
			"pyright",
			map[string]string{"pyrightconfig.json": `{}`, "lib.py": "def twice(n: int) -> int:\n    return 2 * n\n", "main.py": "from lib import twice\n\nprint(twice(2))\n"},
			"main.py", "from lib import twice\n\nprint(twice(\"two\"))\n", "from lib import twice\n\nprint(\"🦊🦊\", twice(4))\n",
			"cannot be assigned to parameter",
			Place{Line: 3, Name: "twice"},
			"lib.py:1", "def Doubled(n: int) -> int:",
		},
	} {
		t.Run(one.name, func(t *testing.T) {
			s, root := real(t, one.name, one.files)
			file, number, _ := strings.Cut(one.defined, ":")
			line, _ := strconv.Atoi(number)
			definition := Place{Path: filepath.Join(root, file), Line: line, Name: one.use.Name}
			renamed, err := s.Rename(limited(t, patience), definition, "Doubled")
			if err != nil || len(renamed) != 2 || !strings.Contains(renamed[0].After+renamed[1].After, one.now) || strings.Contains(renamed[0].After+renamed[1].After, one.use.Name) {
				t.Errorf("before any file was opened, renamed: %+v, %v", renamed, err)
			}
			if used, err := s.References(limited(t, patience), definition); err != nil || len(used) < 2 || used[0].Path == used[len(used)-1].Path {
				t.Errorf("before any file was opened, used at %+v, %v", used, err)
			}
			if first := writes(t, s, root, one.file, one.bad); !strings.Contains(said(first.Problems), one.want) || !strings.Contains(said(first.Problems), one.file) {
				t.Errorf("after a mistake: %+v", first)
			}
			if second := writes(t, s, root, one.file, one.good); len(second.Problems)+len(second.Others) > 0 || second.Late {
				t.Errorf("after it was mended: %+v", second)
			}
			at := one.use
			at.Path = filepath.Join(root, one.file)
			ctx, stop := context.WithTimeout(t.Context(), patience)
			defer stop()
			spots, err := s.Definition(ctx, at)
			if err != nil || len(spots) != 1 || spots[0].Path+":"+strconv.Itoa(spots[0].Line) != one.defined {
				t.Fatalf("the definition is %+v, %v; %s", spots, err, s.Log())
			}
			if used, err := s.References(ctx, at); err != nil || len(used) < 2 {
				t.Errorf("used at %+v, %v", used, err)
			}
			if outline, err := s.Outline(ctx, filepath.Join(root, spots[0].Path)); err != nil || len(outline) == 0 || !strings.EqualFold(outline[0].Name, "twice") {
				t.Errorf("the outline is %+v, %v", outline, err)
			}
			if named, err := s.Symbols(ctx, "twice", at.Path); err != nil && !errors.Is(err, ErrCannot) || err == nil && len(named) == 0 {
				t.Errorf("by name there is %+v, %v", named, err)
			}
			changes, err := s.Rename(ctx, definition, "Doubled")
			if err != nil || len(changes) != 2 || !strings.Contains(changes[0].After+changes[1].After, one.now) {
				t.Errorf("renamed: %+v, %v", changes, err)
			}
			if one.name != "gopls" {
				return
			}
			for n := range 5 { // each edit has one problem, even if it follows soon
				text := "package main\n\nfunc main() { var x int = \"" + strings.Repeat("x", n) + "\"; println(x) }\n"
				if report := writes(t, s, root, one.file, text); len(report.Problems) != 1 {
					t.Errorf("%d: %+v", n, report)
				}
			}
		})
	}
}

// A change reports other files that it broke, although they were not opened.
func TestRealServersTellOfOtherFiles(t *testing.T) {
	s, root := real(t, "gopls", map[string]string{"go.mod": "module known\n\ngo 1.24\n", "lib/lib.go": "package lib\n\nfunc Twice(n int) int { return 2 * n }\n", "main.go": "package main\n\nimport \"known/lib\"\n\nfunc main() { println(lib.Twice(2)) }\n"})
	s.mostWork = patience
	writes(t, s, root, "lib/lib.go", "package lib\n\nfunc Twice(n int) int { return n * 2 }\n")
	report := writes(t, s, root, "lib/lib.go", "package lib\n\nfunc Thrice(n int) int { return 3 * n }\n")
	if len(report.Problems) > 0 || !strings.Contains(said(report.Others), "main.go undefined: lib.Twice") {
		t.Errorf("%+v", report)
	}
}

// Settings reach a server with or without its name as a prefix, as docs/languages.md says.
func TestRealServersHearSettings(t *testing.T) {
	for i, settings := range []map[string]any{{"staticcheck": true}, {"gopls": map[string]any{"staticcheck": true}}} {
		if i > 0 && testing.Short() {
			break // TestASectionOfTheSettings tests both forms without a server
		}
		s, root := realWith(t, "gopls", settings, map[string]string{"go.mod": "module known\n\ngo 1.24\n", "main.go": "package main\n"})
		if report := writes(t, s, root, "main.go", "package main\n\nimport \"strings\"\n\nfunc main() { println(strings.Replace(\"a\", \"a\", \"b\", 0)) }\n"); !strings.Contains(said(report.Problems), "calling strings.Replace with n == 0") {
			t.Errorf("%v: %+v", settings, report)
		}
	}
}
