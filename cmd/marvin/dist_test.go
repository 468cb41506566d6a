package main

import (
	"os/exec"
	"testing"
)

// What makes the archives for download is no part of the program, and so "go test ./..."
// does not see its tests.
func TestArchivesForDownload(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("go", "test", "./testdata/dist").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
