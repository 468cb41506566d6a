package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

// fleetOf is a batch for a fleet, with the command that starts workers. All workers have one model.
type fleetOf struct {
	t      *testing.T
	server *fleettest.Server
	batch  *exec.Cmd
	mu     sync.Mutex
	number int
}

func newFleet(t *testing.T, answer func(prompt string) modeltest.Step, lines []string, args ...string) *fleetOf {
	t.Helper()
	server := fleettest.Start(t)
	command := batchOf(t, answer, lines, append([]string{"--fleet", server.URL(), "--away", "2s"}, args...)...)
	return &fleetOf{t: t, server: server, batch: command}
}

// worker starts one more.
func (f *fleetOf) worker(args ...string) *fleetWorker {
	f.t.Helper()
	f.mu.Lock()
	f.number++
	name := fmt.Sprintf("w%d", f.number)
	f.mu.Unlock()
	command := exec.Command(f.batch.Path)
	command.Env, command.Dir = f.batch.Env, f.t.TempDir()
	command.Args = append([]string{"marvin", "worker", "--fleet", f.server.URL(), "--provider", "openai-compat", "--name", name}, args...)
	w := &fleetWorker{Cmd: command, log: filepath.Join(f.t.TempDir(), "log")}
	log, err := os.Create(w.log)
	if err != nil {
		f.t.Fatal(err)
	}
	defer log.Close()
	command.Stderr = log
	if err := command.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(w.kill)
	return w
}

// answering waits until a worker has a prompt, at most for a limited time.
func answering(t *testing.T, what <-chan struct{}) {
	t.Helper()
	select {
	case <-what:
	case <-time.After(patience):
		t.Fatal("waited in vain for a worker to begin")
	}
}

type fleetWorker struct {
	*exec.Cmd
	log  string
	once sync.Once
}

func (w *fleetWorker) kill() {
	w.once.Do(func() {
		_ = w.Process.Kill()
		_ = w.Wait()
	})
}

func (w *fleetWorker) said() string {
	text, _ := os.ReadFile(w.log)
	return string(text)
}

// comparable returns, by id, the parts of results that must not depend on the machine that
// answered.
func comparable(t *testing.T, text string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for line := range strings.Lines(text) {
		var r struct {
			batchResult
			Asked string `json:"asked"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if found[r.ID] != "" {
			t.Errorf("%s has two results", r.ID)
		}
		r.Took = 0
		same, _ := json.Marshal(r)
		found[r.ID] = string(same)
	}
	return found
}

func different(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d results, not %d", len(got), len(want))
	}
	for id, line := range want {
		if got[id] != line {
			t.Errorf("%s:\n%s\nnot\n%s", id, got[id], line)
		}
	}
}

func TestFleetAnswersAsOneMachineDoes(t *testing.T) {
	t.Parallel()
	answer := func(prompt string) modeltest.Step {
		return modeltest.Text("answer to " + prompt).WithFaults(modeltest.Tokens(1000, 0, 10))
	}
	lines := append(prompts("a", "b", "c", "d", "e"), `{"id":"bad"`, `{"id":"a","prompt":"twice"}`, `{"id":"who","prompt":"x","provider":"grok"}`)
	alone, _, _ := ends(t, batchOf(t, answer, lines))
	f := newFleet(t, answer, lines, "--output", "out.jsonl")
	f.worker()
	f.worker("--jobs", "2")
	f.batch.Args = append(f.batch.Args, "--jobs", "3") // which a fleet does not heed
	ended := begins(t, f.batch, patience)
	path := filepath.Join(f.batch.Dir, "out.jsonl")
	waitForFile(t, path, func(text string) bool { return strings.Count(text, "\n") == 7 })
	f.batch.Process.Signal(os.Interrupt) // no worker serves the last line's provider: it waits
	_, stderr, _ := ended()
	text, _ := os.ReadFile(path)
	want := comparable(t, strings.ReplaceAll(onlyID(t, alone, "a", "b", "c", "d", "e"), "\x00", ""))
	different(t, comparable(t, onlyID(t, string(text), "a", "b", "c", "d", "e")), want)
	if !strings.Contains(stderr, `"llm_turns":5,`) || !strings.Contains(string(text), `the id \"a\" is already used in line 1`) {
		t.Errorf("%s\n%s", stderr, text)
	}
	checkCostLine(t, stderr)
}

// onlyID keeps the completed lines with these ids.
func onlyID(t *testing.T, text string, ids ...string) (kept string) {
	t.Helper()
	for line := range strings.Lines(text) {
		for _, r := range resultsIn(t, line) {
			for _, id := range ids {
				if r.ID == id && r.Outcome == messages.Completed {
					kept += line
				}
			}
		}
	}
	return kept
}

func TestFleetContinuesWithoutItsSender(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	f := newFleet(t, func(prompt string) modeltest.Step {
		mu.Lock()
		defer mu.Unlock()
		asked[prompt]++
		return modeltest.Text("to " + prompt)
	}, prompts("1", "2", "3", "4"), "--output", "out.jsonl")
	detached := again(f.batch)
	detached.Args = append(detached.Args, "--detach")
	if _, stderr, code := ends(t, detached); code != 0 || !strings.Contains(stderr, "4        wait in the fleet") {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	w := f.worker()
	if _, stderr, code := ends(t, again(f.batch)); code != 0 || !strings.Contains(stderr, "4        completed") {
		t.Errorf("exit code %d\n%s%s", code, stderr, w.said())
	}
	if _, stderr, code := ends(t, again(f.batch)); code != 0 || !strings.Contains(stderr, "4        answered in an earlier run") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	os.Remove(filepath.Join(f.batch.Dir, "out.jsonl")) // the server has the results still
	if _, stderr, code := ends(t, again(f.batch)); code != 0 || !strings.Contains(stderr, "4        completed") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	mu.Lock()
	defer mu.Unlock()
	for prompt, n := range asked {
		if n != 1 {
			t.Errorf("%s was asked %d times", prompt, n)
		}
	}
}
