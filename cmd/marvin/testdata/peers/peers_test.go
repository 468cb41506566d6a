package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// piSent is what pi 0.73.1 sent over the tasks, in bytes (docs/expectations.md).
var piSent = map[string]int{"mending": 4_401_330, "reading": 282_909}

// Marvin does each task whole, sends at most one and a half times what pi sends with four
// times its tools, and of each request nearly all is what the one before began with, so that
// a provider has read it.
func TestMarvinDoesTheTaskInFewBytes(t *testing.T) {
	program := os.Getenv("MARVIN_BINARY")
	if program == "" {
		t.Skip("MARVIN_BINARY names no Marvin, as the tests of cmd/marvin do")
	}
	for name, task := range map[string][]step{"mending": mending, "reading": reading} {
		sent, err := peers[0].run(program, task)
		if err != nil {
			t.Fatal(err)
		}
		got := measure("marvin", sent)
		t.Log(name, got.text(nil))
		if got.requests != len(task)+1 || got.all > piSent[name]*3/2 || got.same < 0.9 || got.tools < 16 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Each edit of the task finds its text once, and the tests of the project fail until the last.
func TestTheTaskCanBeDone(t *testing.T) {
	dir := t.TempDir()
	if err := lay(dir); err != nil {
		t.Fatal(err)
	}
	failures := func() int {
		command := exec.Command("sh", "test.sh")
		command.Dir = dir
		out, err := command.Output()
		if err != nil || len(out) < 40_000 {
			t.Fatalf("%d bytes, %v", len(out), err)
		}
		return strings.Count(string(out), "--- FAIL")
	}
	left := 3
	for _, one := range mending {
		if one.old == "" {
			continue
		}
		if got := failures(); got != left {
			t.Errorf("%d tests fail, not %d", got, left)
		}
		path := filepath.Join(dir, one.path)
		text, err := os.ReadFile(path)
		if err != nil || strings.Count(string(text), one.old) != 1 {
			t.Fatalf("%s has %q %d times, %v", one.path, one.old, strings.Count(string(text), one.old), err)
		}
		if err := put(path, strings.Replace(string(text), one.old, one.text, 1)); err != nil {
			t.Fatal(err)
		}
		left--
	}
	if got := failures(); got != 0 {
		t.Errorf("%d tests fail in the end", got)
	}
	if err := mended(dir, mending); err != nil {
		t.Error(err)
	}
}

func TestWhatIsRepeatedIsCounted(t *testing.T) {
	got := measure("pi", [][]byte{[]byte(`{"messages":["one"],"tools":[1,2]}`), []byte(`{"messages":["one","two"],"tools":[1,2]}`)})
	if got.requests != 2 || got.tools != 2 || got.first != 34 || got.all != 74 || got.same != 11.0/17 {
		t.Errorf("%+v", got)
	}
	if text := got.text([]row{got}); text != "| pi | 2 | 34 | 2 | 74 | 1.00 | 65 % |" {
		t.Error(text)
	}
}
