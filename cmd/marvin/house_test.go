package main

import (
	"os/exec"
	"testing"
)

// What makes the archives for download, names slow tests, looks for code that no test
// notices and writes the table of figures is no part of the program, and so "go test ./..."
// does not see its tests.
func TestProgramsOfTheHouse(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("go", "test", "./testdata/dist", "./testdata/slow", "./testdata/mutate", "./testdata/figures").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
