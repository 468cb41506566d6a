package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

func TestFleetChecksOutACommitAndReturnsAPatch(t *testing.T) {
	t.Parallel()
	origin := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", origin, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	if err := os.WriteFile(filepath.Join(origin, "old.txt"), []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("add", ".")
	git("commit", "--quiet", "-m", "first")
	commit := git("rev-parse", "HEAD")
	git("commit", "--quiet", "--allow-empty", "-m", "second")
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("made it")
		}
		return modeltest.Calls(modeltest.Call{Name: "create_file", Args: `{"path":"new.txt","content":"new\n"}`})
	})
	server := fleettest.Start(t)
	file := filepath.Join(command.Dir, "p.jsonl")
	address := "file://" + origin
	line := fmt.Sprintf(`{"id":"1","prompt":"make it","git":%q,"commit":%q}`, address, commit)
	if err := os.WriteFile(file, []byte(line+"\n"+`{"id":"2","prompt":"x","git":"file:///etc","commit":"`+strings.Repeat("a", 40)+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	command.Args = []string{"marvin", "batch", file, "--fleet", server.URL()}
	f := &fleetOf{t: t, server: server, batch: command}
	f.worker() // which checks nothing out
	w := f.worker("--git-from", "file://"+filepath.Dir(origin)+"/")
	stdout, stderr, _ := ends(t, command)
	byID := map[string]string{}
	for _, r := range resultsIn(t, stdout) {
		byID[r.ID] = string(r.Outcome) + ": " + r.Error
	}
	if byID["1"] != "completed: " || !strings.Contains(byID["2"], "failed: this worker may not check out from file:///etc") {
		t.Fatalf("%v\n%s%s", byID, stderr, w.said())
	}
	var patch string
	for line := range strings.Lines(stdout) {
		if result := patchOf(t, line); result != "" {
			patch = result
		}
	}
	apply := exec.Command("git", "-C", origin, "apply", "-")
	apply.Stdin = strings.NewReader(patch)
	if out, err := apply.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, patch)
	}
	if text, err := os.ReadFile(filepath.Join(origin, "new.txt")); err != nil || string(text) != "new\n" {
		t.Errorf("%q, %v", text, err)
	}
	home := ""
	for _, variable := range command.Env {
		if value, ok := strings.CutPrefix(variable, "HOME="); ok {
			home = value
		}
	}
	if left, err := os.ReadDir(filepath.Join(home, ".cache", "marvin", "fleet")); err != nil || len(left) > 0 {
		t.Errorf("%v stays, %v", left, err)
	}
}

func patchOf(t *testing.T, line string) string {
	t.Helper()
	var r struct {
		Patch string `json:"patch"`
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatal(err)
	}
	return r.Patch
}
