package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

func TestTenKnownServersMakeNoCollection(t *testing.T) {
	t.Parallel()
	command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") })
	home := strings.TrimPrefix(command.Env[0], "HOME=")
	program := playedServer(t, home)
	state := filepath.Join(home, ".config", "marvin")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	config := "mcp:\n"
	for _, name := range tenNames {
		config += "  " + name + ": {command: [" + program + "], env: {MCP_PLAYS: well}, sandbox: \"off\", reads: [\"*\"]}\n"
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(words ...string) string {
		t.Helper()
		again := exec.CommandContext(t.Context(), command.Path, words...)
		again.Args[0], again.Env, again.Dir = "marvin", append(slices.Clone(command.Env), "GODEBUG=gctrace=1", "GOGC="), command.Dir
		var said bytes.Buffer
		again.Stderr = &said
		if out, err := again.Output(); err != nil {
			t.Fatalf("%v: %s%s", err, out, said.Bytes())
		}
		return said.String()
	}
	for _, name := range tenNames {
		run("mcp", "approve", name)
	}
	prompt := append(slices.Clone(command.Args[1:]), "--prompt", "greet me")
	run(prompt...) // what is known of them is kept in short
	if said := run(prompt...); strings.Contains(said, "gc 1 @") {
		t.Errorf("a prompt collects garbage: %s", said)
	}
}

var tenNames = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
