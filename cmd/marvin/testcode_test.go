package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A test that writes a program and runs it sometimes fails ("text file busy") if another test
// starts a child at that moment.
func TestProgramsOfTestsAreWrittenForRunning(t *testing.T) {
	written := regexp.MustCompile(`os\.(WriteFile|OpenFile)\([^\n]*0o7\d\d`)
	seen := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		seen++
		if found := written.Find(source); found != nil {
			t.Errorf("%s: %s…: disktest.WriteProgram writes what is run", path, found)
		}
		return err
	})
	if err != nil || seen < 500 {
		t.Fatal(seen, err)
	}
}
