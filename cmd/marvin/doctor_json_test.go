package main

import (
	"strings"
	"testing"
)

// A program that asks for JSON gets JSON, or a word that there is none: never text.
func TestJSONOfCommandsThatWriteText(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{"doctor": "writes text for people", "tools": `"name": "read_file"`} {
		command := process(t, nil)
		command.Args = []string{"marvin", line, "--output", "json"}
		out, err := command.CombinedOutput()
		if !strings.Contains(string(out), want) || (err == nil) != (line == "tools") {
			t.Errorf("%s: %v\n%.300s", line, err, out)
		}
	}
}
