package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

func TestWindowReportsSessionInUse(t *testing.T) {
	t.Parallel()
	script := func(modeltest.Request) modeltest.Step { return modeltest.Text("It rains.") }
	first := connect(t, script, "--session", "trip")
	first.send(`{"type":"prompt","op":{"text":"one"}}`)
	first.until("turn_ended")
	home := strings.TrimPrefix(first.command.Env[0], "HOME=")
	kept := func() string {
		var all strings.Builder
		err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".jsonl") {
				return err
			}
			content, err := os.ReadFile(path)
			all.WriteString(path + "\n" + string(content))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all.String()
	}
	before := kept()
	if !strings.Contains(before, "It rains.") {
		t.Fatalf("nothing is kept below %s: %q", home, before)
	}
	for _, which := range [][]string{{"--session", "trip"}, {"-c"}, {"-r", "trip"}, {"--fork", "trip"}} {
		second := process(t, script)
		second.Args = append([]string{"marvin", "context", "--provider", "openai-compat"}, which...)
		second.Env[0], second.Dir = first.command.Env[0], first.command.Dir
		if out, err := second.CombinedOutput(); err != nil || !strings.Contains(string(out), "the messages (2)") {
			t.Errorf("%q: %v\n%s", which, err, out)
		}
	}
	if after := kept(); after != before {
		t.Errorf("looking changed what is kept:\n%s\n%s", before, after)
	}
	first.send(`{"type":"prompt","op":{"text":"two"}}`)
	first.until("turn_ended")
	first.send(`{"type":"quit"}`)
	waitFor(t, first.command)
	if !strings.Contains(kept(), `"two"`) {
		t.Error("the conversation that was looked at did not continue")
	}
}
