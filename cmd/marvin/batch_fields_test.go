package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// A misspelt field is an error of its line, and no model is asked.
func TestAnUnknownFieldIsAnError(t *testing.T) {
	var asked atomic.Int32
	stdout, stderr, code := ends(t, batchOf(t, func(string) modeltest.Step {
		asked.Add(1)
		return modeltest.Text("x")
	}, []string{
		`{"id":"a","prompt":"x","workingdir":"/"}`, `{"id":"b","prompt":"x","working-dir":"/"}`,
		`{"id":"c","prompt":"x","Model":"m"}`, `{"id":"d","prompt":"x","promt":"y"}`,
	}, "--jobs", "1"))
	if got := outcomes(t, stdout); got != "a failed, b failed, d failed, c completed" && got != "a failed, b failed, c completed, d failed" || asked.Load() != 1 || code != 1 {
		t.Errorf("exit code %d, %d questions: %s", code, asked.Load(), got)
	}
	for _, want := range []string{
		`line 1 (id a): failed: there is no field "workingdir"; did you mean "working_dir"?`,
		`line 2 (id b): failed: there is no field "working-dir"; did you mean "working_dir"?`,
		`line 4 (id d): failed: there is no field "promt"; did you mean "prompt"?`,
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr lacks %q:\n%s", want, stderr)
		}
	}
}

func TestAChangedPromptIsAskedAgain(t *testing.T) {
	command := batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("to " + prompt) },
		prompts("a", "b", "c"), "--jobs", "1", "--output", "answers.jsonl")
	if _, stderr, code := ends(t, command); code != 0 {
		t.Fatal(stderr)
	}
	// The result of c is written by an older Marvin, which did not store the fingerprint of the
	// prompt.
	answers := filepath.Join(command.Dir, "answers.jsonl")
	before, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(before), "\n")
	old, _, _ := strings.Cut(lines[2], `,"asked"`)
	if err := os.WriteFile(answers, []byte(lines[0]+lines[1]+old+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	changed := []string{`{"prompt":"ask a","id":"a"}`, `{"id":"b","prompt":"something else"}`, `{"id":"c","prompt":"ask c"}`}
	if err := os.WriteFile(command.Args[2], []byte(strings.Join(changed, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := ends(t, again(command))
	after, _ := os.ReadFile(answers)
	all := resultsIn(t, string(after))
	if code != 0 || len(all) != 4 || all[3].ID != "b" || all[3].Text != "to something else" || all[3].Outcome != messages.Completed {
		t.Errorf("exit code %d: %+v", code, all)
	}
	for _, want := range []string{`warning: line 2: the answer stored for the id "b" is for a different prompt, so Marvin sends this prompt`, "2        answered in an earlier run"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr lacks %q:\n%s", want, stderr)
		}
	}
	if _, stderr, code := ends(t, again(command)); code != 0 || !strings.Contains(stderr, "3        answered in an earlier run") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// Some Windows editors write a byte order mark at the beginning of a file.
func TestAMarkOfTheEncodingIsNoText(t *testing.T) {
	lines := prompts("a", "b")
	lines[0] = "\ufeff" + lines[0]
	stdout, stderr, code := ends(t, batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("x") }, lines, "--jobs", "1"))
	if got := outcomes(t, stdout); got != fmt.Sprintf("a %[1]s, b %[1]s", messages.Completed) || code != 0 {
		t.Errorf("exit code %d: %s\n%s", code, got, stderr)
	}
}

func TestBatchLinesNameRoles(t *testing.T) {
	t.Parallel()
	command := process(t, func(request modeltest.Request) modeltest.Step { return modeltest.Text("by " + request.Model) })
	home, _ := strings.CutPrefix(command.Env[0], "HOME=")
	state := filepath.Join(home, ".config", "marvin")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte("roles: {small: openai-compat/tiny}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command.Args = []string{"marvin", "batch", "-", "--provider", "openai-compat"}
	command.Stdin = strings.NewReader(`{"id":"1","prompt":"x","role":"small"}
{"id":"2","prompt":"x","role":"plan"}
{"id":"3","prompt":"x","role":"smal"}
{"id":"4","prompt":"x","role":"small","model":"y"}`)
	stdout, stderr, _ := ends(t, command)
	want := map[string]string{
		"1": "by tiny", "2": "none of the models that config.yaml lists for the role plan is available here; add one under \"roles:\"",
		"3": `there is no role "smal"; the roles are default, small, plan, vision, review`, "4": `give either "role", which is a list of models, or "provider" and "model", not both`,
	}
	for _, r := range resultsIn(t, stdout) {
		if got := r.Text + r.Error; got != want[r.ID] {
			t.Errorf("%s: %q\n%s", r.ID, got, stderr)
		}
		delete(want, r.ID)
	}
	if len(want) > 0 {
		t.Errorf("no results: %v", want)
	}
}
