package proc

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mayStartProcesses lists files outside this package that start processes, with
// the reason why Run does not serve them.
var mayStartProcesses = map[string]string{}

// TestS21OnlyThisPackageStartsProcesses keeps the promises of this package true for
// all of Marvin: one place that cleans the environment and ends what it started.
func TestS21OnlyThisPackageStartsProcesses(t *testing.T) {
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
	if startsProcesses(t, "run.go") != "os/exec" {
		t.Error("the check does not even see this package")
	}
}

func startsProcesses(t *testing.T, path string) string {
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ImportsOnly)
	if err != nil {
		return "" // being written right now; the compiler will say
	}
	for _, imported := range file.Imports {
		if imported.Path.Value == `"os/exec"` {
			return "os/exec"
		}
	}
	for _, call := range []string{"os.StartProcess(", "syscall.ForkExec(", "syscall.Exec(", "unix.Exec("} {
		if strings.Contains(string(source), call) {
			return strings.TrimSuffix(call, "(")
		}
	}
	return ""
}
