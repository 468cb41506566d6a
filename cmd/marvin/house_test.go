package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The programs below testdata that make archives, name slow tests and write the table of
// figures are not part of the program,
// so "go test ./..." does not run their tests.
func TestProgramsOfTheHouse(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "test", "-count=1", "-vet=off", "-ldflags=-s -w", "./testdata/dist", "./testdata/slow", "./testdata/figures")
	command.Env = append(os.Environ(), "MARVIN_BINARY="+program)
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
