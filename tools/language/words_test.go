package language

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/tools"
	lsp "marvin/tools/internal/language"
	"marvin/tools/internal/toolstest"
)

func problem(path string, line int, severity messages.Severity, text string) messages.CodeProblem {
	return messages.CodeProblem{Path: path, Line: line, Severity: severity, Text: text}
}

func TestDiagnosticsInWords(t *testing.T) {
	bad, odd := messages.SeverityError, messages.SeverityWarning
	many := func(path string, count int) (list []messages.CodeProblem) {
		for n := range count {
			list = append(list, problem(path, n+1, bad, "x"))
		}
		return list
	}
	lines := func(path string, from, to int) string {
		var text strings.Builder
		for n := from; n <= to; n++ {
			fmt.Fprintf(&text, "%s:%d: error: x\n", path, n)
		}
		return text.String()
	}
	for _, one := range []struct {
		name  string
		found Findings
		want  string
	}{
		{"nothing", Findings{}, ""},
		{"one of each", Findings{Problems: []messages.CodeProblem{problem("a.go", 1, bad, "no"), problem("a.go", 2, odd, "hm")}}, "Problems now (errors: 1, warnings: 1):\na.go:1: error: no\na.go:2: warning: hm"},
		{"others", Findings{Others: []messages.CodeProblem{problem("b.go", 3, bad, "no")}}, "Problems in other files since this change:\nb.go:3: error: no"},
		{"others of a server that is new", Findings{Fresh: true, Others: []messages.CodeProblem{problem("b.go", 3, bad, "no")}}, "Problems in other files (some may be older than this change):\nb.go:3: error: no"},
		{"who is late", Findings{Late: []string{"gopls", "ruff"}}, "[gopls, ruff: not everything is checked yet; more findings will come with a later message]"},
		{"as many of a file as are told", Findings{Problems: many("a", 20)}, "Problems now (errors: 20, warnings: 0):\n" + strings.TrimSuffix(lines("a", 1, 20), "\n")},
		{"one more", Findings{Problems: many("a", 21)}, "Problems now (errors: 21, warnings: 0):\n" + lines("a", 1, 20) + "[1 more]"},
		{
			"as many lines as are told",
			Findings{Problems: append(append(many("a", 20), many("b", 20)...), many("c", 19)...)},
			"Problems now (errors: 59, warnings: 0):\n" + lines("a", 1, 20) + lines("b", 1, 20) + strings.TrimSuffix(lines("c", 1, 19), "\n"),
		},
		{
			"more lines",
			Findings{Problems: append(append(many("a", 20), many("b", 20)...), many("c", 20)...)},
			"Problems now (errors: 60, warnings: 0):\n" + lines("a", 1, 20) + lines("b", 1, 20) + lines("c", 1, 18) + "[2 more]",
		},
	} {
		if got := one.found.Text(); got != one.want {
			t.Errorf("%s:\n%s\nwant\n%s", one.name, got, one.want)
		}
		if all := one.found.All(); len(all) > mostLines {
			t.Errorf("%s: front ends get %d", one.name, len(all))
		}
	}
	for want, one := range map[string]messages.CodeProblem{
		"a:1: error: x":                                 problem("a", 1, bad, "x"),
		"a:1:2: error: x (vet)":                         {Path: "a", Line: 1, Column: 2, Severity: bad, Text: "x", Source: "vet"},
		"a:1: error: x (E1)":                            {Path: "a", Line: 1, Severity: bad, Text: "x", Code: "E1"},
		"a:1: error: x (vet E1)":                        {Path: "a", Line: 1, Severity: bad, Text: "x", Source: "vet", Code: "E1"},
		"a:1: error: " + strings.Repeat("x", 300):       problem("a", 1, bad, strings.Repeat("x", 300)),
		"a:1: error: " + strings.Repeat("x", 300) + "…": problem("a", 1, bad, strings.Repeat("x", 301)),
		"a:1: error: " + strings.Repeat("x", 299) + "…": problem("a", 1, bad, strings.Repeat("x", 299)+"ü"),
	} {
		if got := line(one); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestFindingsOfSeveralServers(t *testing.T) {
	var found Findings
	bad := problem("a\x1b", 1, messages.SeverityError, "no")
	found.Add("one", Report{Problems: []messages.CodeProblem{bad}, Fresh: true, Files: []messages.FileProblems{{Path: "a\x1b", Server: "one", Problems: []messages.CodeProblem{bad}}, {Path: "b"}}})
	found.Add("two", Report{Others: []messages.CodeProblem{bad}, Late: true})
	if len(found.Problems) != 1 || len(found.Others) != 1 || !found.Fresh || strings.Join(found.Late, " ") != "two" || len(found.Files) != 2 {
		t.Errorf("%+v", found)
	}
	if file := found.Files[0]; file.Path != "a‹U+001B›" || file.Server != "one" || file.Problems[0].Path != "a‹U+001B›" || found.Files[1].Problems == nil {
		t.Errorf("%+v", found.Files)
	}
	if all := found.All(); len(all) != 2 || all[1].Path != "a‹U+001B›" {
		t.Errorf("%+v", all)
	}
	top := t.TempDir()
	in := func(name string) string { return filepath.Join(top, name) }
	var syntax Findings
	syntax.AddSyntax([]File{
		{Path: in("a.json"), Content: []byte("{")}, {Path: in("b.json"), Content: []byte("{}")}, {Path: in("gone.json")}, {Path: in("c.unknown"), Content: []byte("{")}, {Path: in("gone.unknown")},
	}, top)
	var names []string
	for _, file := range syntax.Files {
		names = append(names, fmt.Sprintf("%s %s %d", file.Path, file.Server, len(file.Problems)))
	}
	if got := strings.Join(names, "|"); len(syntax.Problems) != 1 || got != "a.json syntax 1|b.json syntax 0|gone.json  0|gone.unknown  0" {
		t.Errorf("%s, %+v", got, syntax.Problems)
	}
}

func TestLocationsInWords(t *testing.T) {
	broken := errors.New("it broke\x1b")
	spots := make([]lsp.Spot, mostSpots+1)
	for i := range spots {
		spots[i] = lsp.Spot{Path: "a", Line: i + 1, Text: "x"}
	}
	for count, want := range map[int]string{0: "none", 1: "a:1: x\n", mostSpots: fmt.Sprintf("a:%d: x\n", mostSpots), mostSpots + 1: "[1 more]\n"} {
		output, err := spotsOut(spots[:count], "none", nil)
		if err != nil || !strings.HasSuffix(output.Text, want) || output.Empty != (count == 0) || strings.Count(output.Text, "\n") > mostSpots+1 {
			t.Errorf("%d places: %q, %v", count, output.Text, err)
		}
	}
	for want, err := range map[string]error{
		"it broke‹U+001B›": broken,
		"there is no such place: x\nRead the lines around it with read_file and give the line and the name exactly.": fmt.Errorf("%w: x", lsp.ErrNoPlace),
		"this language server cannot do that: x\nUse code_grep, read_file and apply_patch.":                          fmt.Errorf("%w: x", lsp.ErrCannot),
	} {
		if _, got := spotsOut(nil, "none", err); got == nil || got.Error() != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if advise(nil) != nil {
		t.Error("no error is one")
	}
}

// Without a directory, a file or a server, each tool names the missing part.
func TestCodeToolErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), "package main\n")
	for name, more := range map[string]string{
		"code_definition": `,"line":1,"name":"main"`, "code_references": `,"line":1,"name":"main"`, "code_symbols": ``, "code_rename": `,"line":1,"name":"main","new_name":"x"`, "code_actions": `,"line":1`,
	} {
		for want, one := range map[string]struct{ dir, path string }{
			"set_working_dir": {"", "main.go"}, "none.go": {dir, "none.go"}, "in this mode\nLanguage servers work only in coding mode; use code_grep and read_file.": {dir, "main.go"},
		} {
			_, err := asked(t, tools.Env{Dir: one.dir}, name, fmt.Sprintf(`{"path":%q%s}`, one.path, more))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %q: %v, want %s", name, one.path, err, want)
			}
		}
	}
	if _, err := asked(t, tools.Env{Dir: dir}, "code_symbols", `{}`); err == nil || err.Error() != "\"path\" is missing, so Marvin cannot choose a language server\nGive a file in \"path\"; to search with \"query\", give any file in the language that you want to search." {
		t.Errorf("%v", err)
	}
}

func asked(t *testing.T, env tools.Env, name, arguments string) (string, error) {
	t.Helper()
	env.Now, env.Progress = time.Now, func(string) {}
	return toolstest.Call(t, Tools(), env, name, arguments)
}

func TestTheProjectsCheckerRuns(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "Makefile"), "check:\n\t@echo fine\n")
	write(t, filepath.Join(dir, "sub", "mypy.ini"), "")
	write(t, filepath.Join(dir, "silent", "ruff.toml"), "")
	write(t, filepath.Join(dir, "both", "ruff.toml"), "")
	write(t, filepath.Join(dir, "both", "mypy.ini"), "")
	write(t, filepath.Join(dir, "both", "Makefile"), "")
	write(t, filepath.Join(bin, "ruff"), "#!/bin/sh\n[ \"$(basename \"$PWD\")\" = silent ] && exit 0\necho a.py:1: bad; echo 'and\033 this' >&2; exit 1\n")
	write(t, filepath.Join(bin, "dart"), "#!/bin/sh\nexec sleep 60\n")
	env := tools.Env{Dir: dir, Root: dir, Now: time.Now, Environ: []string{"PATH=" + bin + ":/usr/bin:/bin"}}
	for _, one := range []struct{ args, want string }{
		{`{}`, "$ make check\nfine\n[exit code: 0]\n"},
		{`{"cwd":"silent"}`, "ruff found no problems (ruff check --output-format concise .).\n"},
		{`{"cwd":"both"}`, "$ ruff check --output-format concise .\na.py:1: bad\n\nand‹U+001B› this\n[exit code: 1]\n[the project can also be checked with mypy, make, for example \"with\": \"mypy\"]\n"},
		{`{"cwd":"sub"}`, "mypy is not installed here: mypy .\n"},
		{`{"with":"lint"}`, "there is no checker called \"lint\"; the checkers are go, cargo, tsc, ruff, pyright, mypy, eslint, dotnet, mix, gradle, maven, zig, swift, dart, make"},
		{`{"cwd":"none"}`, "the directory " + dir + "/none cannot be used: it does not exist"},
		{`{"cwd":"sub","with":"dart","timeout":1}`, "dart did not finish within 1s (deadline of the call)\nGive a longer \"timeout\" (up to 600), or run it with run_command and \"background\": true."},
	} {
		text, err := asked(t, env, "code_check", one.args)
		if err != nil {
			text = err.Error()
		}
		if !strings.HasPrefix(text, one.want) || strings.HasSuffix(one.want, "]\n") && text != one.want {
			t.Errorf("%s: %q, want %q", one.args, text, one.want)
		}
	}
	if _, err := asked(t, tools.Env{}, "code_check", `{}`); err == nil || !strings.Contains(err.Error(), "set_working_dir") {
		t.Errorf("%v", err)
	}
	for _, one := range []struct {
		env           tools.Env
		in            checkArgs
		title, detail string
	}{
		{env, checkArgs{}, "Run the project's checker?", "make check\nin " + dir},
		{env, checkArgs{Cwd: "sub"}, "Run the project's checker?", "mypy .\nin " + dir + "/sub"},
		{env, checkArgs{Cwd: "none"}, "", ""},
		{env, checkArgs{With: "lint"}, "", ""},
		{tools.Env{}, checkArgs{With: "go"}, "", ""},
	} {
		if title, detail := confirmCheck(one.env, one.in); title != one.title || detail != one.detail {
			t.Errorf("%+v: %q %q", one.in, title, detail)
		}
	}
}
