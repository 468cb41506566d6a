package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What makes the archives for download, names slow tests, looks for code that no test
// notices, writes the table of figures and compares with other assistants is no part of the
// program, and so "go test ./..." does not see its tests.
func TestProgramsOfTheHouse(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "test", "-count=1", "-vet=off", "-ldflags=-s -w", "./testdata/dist", "./testdata/slow", "./testdata/mutate", "./testdata/figures", "./testdata/peers")
	command.Env = append(os.Environ(), "MARVIN_BINARY="+program)
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
