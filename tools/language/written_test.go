package language

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"marvin/tools"
)

func TestFilesAreThoseThatTheLastChangeLeft(t *testing.T) {
	dir := t.TempDir()
	change := func(name, after string) tools.FileChange {
		one := tools.FileChange{Dir: dir, Name: name}
		if after != "" {
			one.After = []byte(after)
		}
		return one
	}
	var got []string
	for _, file := range MergeChanges([]tools.FileChange{change("a.go", "1"), change("sub/b.go", "1"), change("a.go", "2"), change("sub/b.go", "")}) {
		got = append(got, fmt.Sprintf("%s %q %v", file.Path, file.Content, file.Content == nil))
	}
	if want := []string{filepath.Join(dir, "a.go") + ` "2" false`, filepath.Join(dir, "sub", "b.go") + ` "" true`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	var many []tools.FileChange
	for n := range mostFiles + 1 {
		many = append(many, change(fmt.Sprint(n), "x"))
	}
	if files := MergeChanges(many); len(files) != mostFiles || files[0].Path != filepath.Join(dir, "0") {
		t.Errorf("%d files are told", len(files))
	}
}

func TestDiagnosticsWithoutServer(t *testing.T) {
	top := t.TempDir()
	var found Findings
	found.AddSyntax([]File{
		{Path: filepath.Join(top, "good.json"), Content: []byte("{}")},
		{Path: filepath.Join(top, "sub", "bad.json"), Content: []byte("{")},
		{Path: filepath.Join(top, "text.md"), Content: []byte("{")},
		{Path: filepath.Join(top, "gone.md")},
	}, top)
	var got []string
	for _, file := range found.Files {
		got = append(got, fmt.Sprintf("%s by %q: %d", file.Path, file.Server, len(file.Problems)))
	}
	if want := []string{`good.json by "syntax": 0`, `sub/bad.json by "syntax": 1`, `gone.md by "": 0`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(found.Problems) != 1 || found.Problems[0].Path != "sub/bad.json" {
		t.Errorf("%+v", found.Problems)
	}
}
