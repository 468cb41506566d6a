package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

func TestAWorkerIsHeldByItsEnvironment(t *testing.T) {
	t.Parallel()
	f := &fleetOf{t: t, server: fleettest.Start(t)}
	f.batch = process(t, func(request modeltest.Request) modeltest.Step {
		var told []string
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				told = append(told, message.Result.Text)
			}
		}
		if len(told) > 0 {
			return modeltest.Text(strings.Join(told, "\n"))
		}
		return modeltest.Calls(call("create_file", `{"path":"written","content":"x"}`), call("launch_agent", `{"prompt":" "}`), call("tree", `{}`))
	})
	if err := os.WriteFile(filepath.Join(f.batch.Dir, "prompts.jsonl"), []byte(prompts("a")[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	f.batch.Args = []string{"marvin", "batch", "prompts.jsonl", "--provider", "openai-compat", "--fleet", f.server.URL()}
	sender := f.batch.Env
	f.batch.Env = append(sender[:len(sender):len(sender)], "MARVIN_READONLY=yes", "MARVIN_DEPTH=1")
	worker := f.worker()
	f.batch.Env = sender
	out, said, code := ends(t, f.batch)
	if code != 0 || !strings.Contains(out, "create_file is not available: this run is read-only (MARVIN_READONLY=1)") || !strings.Contains(out, "cannot launch sub-agents (MARVIN_DEPTH)") || !strings.Contains(out, "0 files") {
		t.Errorf("exit code %d\n%s\n%s\n%s", code, out, said, worker.said())
	}
	if _, err := os.Stat(filepath.Join(worker.Dir, "written")); err == nil {
		t.Error("the worker wrote a file")
	}
}
