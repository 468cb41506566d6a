package goldentest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxDiffLines limits the output, because all lines after an added or removed line differ.
const maxDiffLines = 40

// Assert compares text line by line with the file testdata/<name>. If update is true, Assert first
// writes text to that file. Tests set update to os.Getenv("UPDATE_GOLDEN") != "".
func Assert(t testing.TB, name, text string, update bool) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; UPDATE_GOLDEN=1 writes it", err)
	}
	is, was := strings.Split(text, "\n"), strings.Split(string(content), "\n")
	reported := 0
	for i := range max(len(is), len(was)) {
		if i >= len(is) || i >= len(was) || is[i] != was[i] {
			if reported++; reported > maxDiffLines {
				t.Errorf("%s: more lines after line %d differ", path, i)
				break
			}
		}
		switch {
		case i >= len(is):
			t.Errorf("%s:%d is gone: %s", path, i+1, was[i])
		case i >= len(was):
			t.Errorf("%s:%d is new: %s", path, i+1, is[i])
		case is[i] != was[i]:
			t.Errorf("%s:%d is %s\nand was %s", path, i+1, is[i], was[i])
		}
	}
	if t.Failed() {
		t.Log("if these changes are intended, UPDATE_GOLDEN=1 writes the file")
	}
}
