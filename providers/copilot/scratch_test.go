package copilot

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// This helper process makes a directory as another Marvin does, and holds it until it is killed.
func TestHelperHolder(t *testing.T) {
	temporary := os.Getenv("MARVIN_COPILOT_HOLDER")
	if temporary == "" {
		t.Skip("it is the process of another test")
	}
	dir, owned, err := scratch(temporary)
	if err != nil {
		t.Fatal(err)
	}
	defer owned.Close()
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte("what was said"), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString(dir + "\n")
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed: with "select {}" the runtime reports a deadlock
}

func TestLeftoversOfDeadProcessAreRemoved(t *testing.T) {
	temporary := t.TempDir()
	hold := func() (dir string, kill func()) {
		command := exec.Command(os.Args[0], "-test.run", "^TestHelperHolder$")
		command.Env = append(os.Environ(), "MARVIN_COPILOT_HOLDER="+temporary)
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := command.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		told := make([]byte, 4096)
		n, err := out.Read(told)
		if err != nil {
			t.Fatal(err)
		}
		kill = func() {
			_ = command.Process.Kill()
			_ = command.Wait() // it was killed
		}
		t.Cleanup(kill)
		return strings.TrimSpace(string(told[:n])), kill
	}
	dead, kill := hold()
	living, _ := hold()
	kill()
	if err := os.Symlink(living, filepath.Join(temporary, scratchName+"link")); err != nil {
		t.Fatal(err)
	}
	mine, owned, err := scratch(temporary)
	if err != nil {
		t.Fatal(err)
	}
	defer owned.Close()
	for dir, stays := range map[string]bool{dead: false, living: true, mine: true} {
		if _, err := os.Stat(dir); os.IsNotExist(err) == stays {
			t.Errorf("%s: %v, stays is %t", dir, err, stays)
		}
	}
}
