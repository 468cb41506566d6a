package main

import (
	"os/exec"
	"testing"
)

// What makes the archives for download, what names slow tests, and what looks for code that
// no test notices, are no part of the program, and so "go test ./..." does not see their tests.
func TestProgramsOfTheHouse(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("go", "test", "./testdata/dist", "./testdata/slow", "./testdata/mutate").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
