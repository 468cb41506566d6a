package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The program below testdata that makes archives is not part of the program, so "go test ./..."
// does not run its tests.
func TestTheProgramThatMakesArchives(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "test", "-count=1", "-vet=off", "-ldflags=-s -w", "./testdata/dist")
	command.Env = append(os.Environ(), "MARVIN_BINARY="+program)
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
