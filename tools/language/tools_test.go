package language

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
	"marvin/tools/language/languagetest"
)

func TestMain(m *testing.M) {
	languagetest.Main() // when this process is the server
	goleak.VerifyTestMain(m)
}

// direct provides the same servers to every call and ends them with the test.
type direct struct {
	t     *testing.T
	set   *Set
	on    Ground
	open  map[string]*Session
	wrote []tools.FileChange
}

func (d *direct) ReportChanges(changes []tools.FileChange) { d.wrote = append(d.wrote, changes...) }

func (d *direct) Server(ctx context.Context, path string, _ func(string)) (*tools.LanguageServer, error) {
	wishes, missing := d.set.ServersFor(path, d.on)
	if len(wishes) == 0 {
		return nil, fmt.Errorf("%w: %q", tools.ErrNoLanguage, missing)
	}
	key := wishes[0].Key()
	if d.open[key] == nil {
		session, err := Begin(ctx, wishes[0], d.on)
		if err != nil {
			return nil, err
		}
		d.t.Cleanup(session.Close)
		d.open[key] = session
	}
	return d.open[key], nil
}

// project makes a Go project for calls in coding mode, with the real gopls.
func project(t *testing.T, files map[string]string) (tools.Env, *direct) {
	t.Helper()
	return projectFor(t, "gopls", files)
}

// projectFor makes a project for an installed server.
func projectFor(t *testing.T, server string, files map[string]string) (tools.Env, *direct) {
	t.Helper()
	if _, err := exec.LookPath(server); err != nil {
		t.Skip(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	env := toolstest.Env(t, os.Environ()...)
	env.Dir, env.Root, env.Coding = dir, dir, true
	servers := &direct{t: t, set: &Set{Now: time.Now}, on: Ground{Environ: os.Environ(), Top: dir}, open: map[string]*Session{}}
	env.Languages = servers
	return env, servers
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := disktest.WriteProgram(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}

var twice = map[string]string{
	"go.mod": "module known\n\ngo 1.24\n", "lib/lib.go": "package lib\n\n// Twice doubles.\nfunc Twice(n int) int { return 2 * n }\n",
	"main.go": "package main\n\nimport \"known/lib\"\n\nfunc main() { println(lib.Twice(lib.Twice(2))) }\n",
}

func TestCodeIsNavigatedByLineAndName(t *testing.T) {
	env, servers := project(t, twice)
	for _, one := range []struct {
		tool, args string
		want       []string
	}{
		{"code_definition", `{"path":"main.go","line":5,"name":"Twice#2"}`, []string{"lib/lib.go:4: func Twice"}},
		{"code_references", `{"path":"lib/lib.go","line":4,"name":"Twice"}`, []string{"lib/lib.go:4", "main.go:5"}},
		{"code_symbols", `{"path":"lib/lib.go"}`, []string{"function Twice"}},
		{"code_symbols", `{"path":"main.go","query":"Twice"}`, []string{"lib/lib.go:4"}},
		{"code_rename", `{"path":"main.go","line":5,"name":"Twice","to":"Doubled"}`, []string{"Nothing has been written yet", "main.go (+1 -1)", "+func Doubled"}},
	} {
		text, err := toolstest.Call(t, Tools(), env, one.tool, one.args)
		if err != nil {
			t.Errorf("%s %s: %v", one.tool, one.args, err)
		}
		toolstest.CheckParts(t, text, one.want...)
	}
	if content, _ := os.ReadFile(filepath.Join(env.Dir, "main.go")); string(content) != twice["main.go"] {
		t.Errorf("a preview wrote %q", content)
	}
	if _, err := toolstest.Call(t, Tools(), env, "code_rename", `{"path":"main.go","line":5,"name":"Twice","to":"Doubled","apply":true}`); err != nil {
		t.Error(err)
	}
	if content, _ := os.ReadFile(filepath.Join(env.Dir, "main.go")); !strings.Contains(string(content), "lib.Doubled(lib.Doubled(2))") || len(servers.wrote) != 2 {
		t.Errorf("applied: %q, %d changes are known", content, len(servers.wrote))
	}
	if _, err := toolstest.Call(t, Tools(), env, "code_definition", `{"path":"main.go","line":5,"name":"Absent"}`); err == nil || !strings.Contains(err.Error(), "does not contain") || !strings.Contains(err.Error(), "read_file") {
		t.Errorf("a name that is not there: %v", err)
	}
}

func TestTheProjectsCheckerIsFound(t *testing.T) {
	env, _ := project(t, twice)
	write(t, filepath.Join(env.Dir, "main.go"), "package main\n\nfunc main() { undefined() }\n")
	text, err := toolstest.Call(t, Tools(), env, "code_check", `{}`)
	if err != nil || !strings.Contains(text, "go vet ./...") || !strings.Contains(text, "undefined: undefined") || !strings.Contains(text, "[exit code: 1]") {
		t.Errorf("%q, %v", text, err)
	}
	empty := toolstest.Env(t)
	empty.Dir = t.TempDir()
	if _, err := toolstest.Call(t, Tools(), empty, "code_check", `{}`); err == nil || !strings.Contains(err.Error(), "no file in this directory") {
		t.Errorf("%v", err)
	}
}

// A program in the project is never used as a server, even if PATH contains it.
func TestNoServerIsTakenFromTheProject(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "bin", "gopls"), "#!/bin/sh\n")
	path := "PATH=" + filepath.Join(dir, "bin")
	for top, want := range map[string]int{dir: 0, t.TempDir(): 1} {
		set := &Set{Now: time.Now}
		wishes, missing := set.ServersFor(filepath.Join(top, "main.go"), Ground{Environ: []string{path}, Top: top})
		if len(wishes) != want || len(missing) != 1-want {
			t.Errorf("%s: %+v, %q", top, wishes, missing)
		}
	}
}

func TestProblemsAreBoundedAndClean(t *testing.T) {
	var found Findings
	for file := range 5 {
		for n := range 100 {
			found.Problems = append(found.Problems, messages.CodeProblem{Path: fmt.Sprintf("f%d", file), Line: n + 1, Severity: messages.SeverityError, Text: "\x1b[31m" + strings.Repeat("x", 1000)})
		}
	}
	text := found.Text()
	if lines := strings.Count(text, "\n") + 1; lines > mostLines || len(text) > mostLines*(mostProblem+60) || len(found.All()) > mostLines {
		t.Errorf("%d lines, %d bytes, %d problems", lines, len(text), len(found.All()))
	}
	if strings.Contains(text, "\x1b") || strings.Contains(found.All()[0].Text, "\x1b") {
		t.Error("control characters are left")
	}
	if (Findings{}).Text() != "" {
		t.Error("nothing is shown as something")
	}
}

func TestFormIsCheckedWithoutAServer(t *testing.T) {
	for name, one := range map[string]struct {
		content string
		line    int
	}{
		"a.json": {"{\n  \"a\": 1,\n}\n", 3}, "b.json": {"{\"a\": [1, 2]}\n", 0}, "tsconfig.json": {"{ // mine\n}\n", 0}, "empty.json": {"", 0},
		"a.yaml": {"a: 1\nb: [1, 2\n", 2}, "b.yaml": {"a: 1\nb: {c: 2}\n", 0}, "t.yaml": {"a: {{ .Values.a }\n", 0}, "a.txt": {"{", 0},
	} {
		problems := syntax([]File{{Path: "/p/" + name, Content: []byte(one.content)}}, "/p")
		if (len(problems) > 0) != (one.line > 0) || len(problems) > 0 && (problems[0].Path != name || problems[0].Text == "") {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

// An edit of a file without a server costs only a lookup in the table.
func BenchmarkAnEditWithoutAServer(b *testing.B) {
	set := &Set{Now: time.Now}
	on := Ground{Environ: []string{"PATH=/nowhere"}, Top: "/p"}
	files := []File{{Path: "/p/main.go", Content: []byte("package main\n")}}
	for b.Loop() {
		for _, part := range set.Parts(files, on) {
			syntax(part.Files, on.Top)
		}
	}
}
