package main

import (
	"os/exec"
	"testing"
)

// What makes the archives for download, and what names slow tests, are no part of the
// program, and so "go test ./..." does not see their tests.
func TestProgramsOfTheHouse(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("go", "test", "./testdata/dist", "./testdata/slow").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
