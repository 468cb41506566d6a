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

// A worker works only in its served directories and below them. A line that leads elsewhere, by a
// path or a link, fails with the reason.
func TestFleetServesItsDirectories(t *testing.T) {
	t.Parallel()
	served, outside := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(served, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(served, "link")); err != nil {
		t.Fatal(err)
	}
	lines := []string{
		`{"id":"same","prompt":"x","working_dir":"` + served + `"}`,
		`{"id":"below","prompt":"x","working_dir":"` + served + `/below"}`,
		`{"id":"up","prompt":"x","working_dir":"` + served + `/below/../../` + filepath.Base(outside) + `"}`,
		`{"id":"link","prompt":"x","working_dir":"` + served + `/link"}`,
		`{"id":"relative","prompt":"x","working_dir":".."}`,
		`{"id":"home","prompt":"x","working_dir":"~"}`,
	}
	f := newFleet(t, func(string) modeltest.Step { return modeltest.Text("done") }, lines)
	w := f.worker("--serve", served)
	stdout, stderr, _ := ends(t, f.batch)
	results := resultsIn(t, stdout)
	if len(results) != len(lines) {
		t.Fatalf("%d results\n%s%s%s", len(results), stdout, stderr, w.said())
	}
	for _, r := range results {
		if inside := r.ID == "same" || r.ID == "below"; inside && r.Error != "" || !inside && !strings.Contains(r.Error, "; it serves "+served) {
			t.Errorf("%s: %s %q", r.ID, r.Outcome, r.Error)
		}
	}
}

// A prompt without a directory works in a served directory, even if the worker was started in
// another one.
func TestFleetServesPromptsWithoutADirectory(t *testing.T) {
	t.Parallel()
	served := t.TempDir()
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("made it")
		}
		return modeltest.Calls(modeltest.Call{Name: "create_file", Args: `{"path":"made.txt","content":"x"}`})
	})
	server := fleettest.Start(t)
	file := filepath.Join(command.Dir, "p.jsonl")
	if err := os.WriteFile(file, []byte(`{"id":"1","prompt":"make it"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	command.Args = []string{"marvin", "batch", file, "--fleet", server.URL()}
	f := &fleetOf{t: t, server: server, batch: command}
	w := f.worker("--serve", served)
	stdout, stderr, code := ends(t, command)
	if _, err := os.Stat(filepath.Join(served, "made.txt")); err != nil || code != 0 {
		t.Errorf("%v, exit code %d\n%s%s%s", err, code, stdout, stderr, w.said())
	}
	if made, _ := filepath.Glob(filepath.Join(w.Dir, "made.txt")); len(made) > 0 {
		t.Errorf("it was written in %s", w.Dir)
	}
}
