package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

func TestEverythingThatIsNotKeptIsReported(t *testing.T) {
	t.Parallel()
	command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("fine") })
	home := t.TempDir()
	state := filepath.Join(home, ".config", "marvin")
	for _, name := range []string{"usage.journal", "profiles/default/chat_log.json"} {
		if err := os.MkdirAll(filepath.Join(state, name), 0o700); err != nil { // root may write to every file, but to no directory
			t.Fatal(err)
		}
	}
	command.Args = []string{"marvin", "--plain", "--provider", "openai-compat"}
	command.Env = append(command.Env, "HOME="+home)
	command.Stdin = strings.NewReader("hello\nquit\n")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	for _, want := range []string{"lifetime usage:", "chat log:"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("nobody says %q: %s", want, stderr.String())
		}
	}
}
