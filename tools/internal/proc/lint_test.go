package proc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayStartProcesses lists files outside this package that start processes, with the reason why they
// do not use Run.
var mayStartProcesses = map[string]string{
	"tools/internal/jail/internal/helper/helper_linux.go": "the helper becomes the command, inside the process that Run started for it",
	"cmd/marvin/internal/editor/editor.go":                "the person's editor needs the terminal and the whole environment, and ends when the person ends it",
	"cmd/marvin/internal/live/giveback_unix.go":           "the process that continues this one outlives the call",
	"cmd/marvin/internal/live/spawn_unix.go":              "a conversation without a window outlives the program that starts it",
	"cmd/marvin/internal/cli/live/web_open.go":            "the user's browser lives on behind the call",
	"cmd/marvin/internal/pictures/clipboard.go":           "the clipboard is the person's, and its programs live on behind the call",
	"persistence/disktest/filter_linux.go":                "a test becomes the process that is watched",
	"persistence/disktest/watch_linux.go":                 "it is for tests, whose processes it watches",
	"persistence/internal/storetest/mounts_linux.go":      "a test becomes the process that has its own mounts",
	"persistence/internal/storetest/storetest.go":         "it is for tests, whose program it starts again",
	"tools/mcp/mcptest/play.go":                           "it plays a server that starts what it should not",
	"cmd/marvin/internal/fleet/fleettest/server.go":       "it is for tests, which have a real server",
	"providers/copilot/process.go":                        "the Copilot CLI lives as long as the program, talks over its stdin, and needs the keys that Run withholds",
}

// TestOnlyThisPackageStartsProcesses makes the guarantees of this package apply to all of Marvin:
// only one place cleans the environment and ends processes.
func TestOnlyThisPackageStartsProcesses(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	checked := 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || name == "tools/internal/proc"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		checked++
		if how := looksUpAlone(t, path); how != "" {
			t.Errorf("%s uses %s, which also finds what a project brings: use proc.Find, or tools.Program", name, how)
		}
		if how := startsProcesses(t, path); how != "" && mayStartProcesses[name] == "" {
			t.Errorf("%s uses %s: use tools/internal/proc, or add a reason to mayStartProcesses", name, how)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 10 {
		t.Errorf("only %d files were looked at", checked)
	}
	if startsProcesses(t, "run.go") != "exec.Cmd" {
		t.Error("the check does not even see this package")
	}
}

// starters are the names that start a process, by import path.
var starters = map[string][]string{
	"os/exec":               {"Command", "CommandContext", "Cmd"},
	"os":                    {"StartProcess"},
	"syscall":               {"ForkExec", "Exec", "StartProcess"},
	"golang.org/x/sys/unix": {"Exec"},
}

// startsProcesses returns the function with which a file starts processes, or "".
func startsProcesses(t *testing.T, path string) (how string) {
	t.Helper()
	inspect(t, path, func(imported map[string]string, n ast.Node) {
		if selected, ok := n.(*ast.SelectorExpr); ok {
			if from, ok := selected.X.(*ast.Ident); ok && slices.Contains(starters[imported[from.Name]], selected.Sel.Name) {
				how = from.Name + "." + selected.Sel.Name
			}
		}
	})
	return how
}

// looksUpAlone returns the function with which a file looks up programs, or "": os/exec does it for
// a name without a directory.
func looksUpAlone(t *testing.T, path string) (how string) {
	t.Helper()
	inspect(t, path, func(imported map[string]string, n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		selected, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		from, ok := selected.X.(*ast.Ident)
		if !ok || imported[from.Name] != "os/exec" {
			return
		}
		at := slices.Index([]string{"Command", "CommandContext"}, selected.Sel.Name)
		if selected.Sel.Name == "LookPath" {
			how = "exec.LookPath"
		} else if at >= 0 && at < len(call.Args) {
			if literal, ok := call.Args[at].(*ast.BasicLit); ok && !strings.HasPrefix(literal.Value, `"/`) {
				how = "exec." + selected.Sel.Name + "(" + literal.Value + ")"
			}
		}
	})
	return how
}

func inspect(t *testing.T, path string, look func(imported map[string]string, n ast.Node)) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return // not complete yet; the compiler will report it
	}
	imported := map[string]string{} // maps names in the file to import paths
	for _, spec := range file.Imports {
		from, _ := strconv.Unquote(spec.Path.Value)
		name := from[strings.LastIndexByte(from, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = from
	}
	ast.Inspect(file, func(n ast.Node) bool {
		look(imported, n)
		return true
	})
}
