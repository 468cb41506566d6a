package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"marvin/providers/modeltest"
)

func TestBatchResumesAfterAKillWithoutRepeatingAnswers(t *testing.T) {
	t.Parallel()
	var asked sync.Map
	var hang atomic.Bool
	hang.Store(true)
	command := batchOf(t, func(prompt string) modeltest.Step {
		count, _ := asked.LoadOrStore(prompt, new(atomic.Int32))
		count.(*atomic.Int32).Add(1)
		if prompt > "ask 2" && hang.Load() {
			return modeltest.Text("half").Append(modeltest.Hang())
		}
		return modeltest.Text("answer to " + prompt)
	}, prompts("0", "1", "2", "3", "4", "5"), "--jobs", "2", "--output", "answers.jsonl")
	answers := filepath.Join(command.Dir, "answers.jsonl")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitForFile(t, answers, func(text string) bool { return strings.Count(text, "\n") == 3 })
	command.Process.Kill()
	command.Wait()
	before, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	last := strings.Split(string(before), "\n")[2]
	half := string(before) + strings.Replace(last, `"id":"`, `"id":"9`, 1)[:len(last)/2] // as a kill in the middle of a write leaves it
	if err := os.WriteFile(answers, []byte(half), 0o600); err != nil {
		t.Fatal(err)
	}
	hang.Store(false)
	_, stderr, code := ends(t, again(command))
	after, _ := os.ReadFile(answers)
	if code != 0 || !strings.HasPrefix(string(after), string(before)) || len(resultsIn(t, string(after))) != 6 {
		t.Errorf("exit code %d, the answers are:\n%s\n%s", code, after, stderr)
	}
	for i := range 6 {
		id := fmt.Sprint(i)
		if n := strings.Count(outcomes(t, string(after)), id+" completed"); n != 1 {
			t.Errorf("%s is answered %d times", id, n)
		}
		if count, ok := asked.Load("ask " + id); !ok || i <= 2 && count.(*atomic.Int32).Load() != 1 {
			t.Errorf("the model was asked %s again", id)
		}
	}
	for _, want := range []string{"the last result was incomplete; Marvin sends that prompt again", "3        answered in an earlier run"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr lacks %q:\n%s", want, stderr)
		}
	}
	if _, stderr, code := ends(t, again(command)); code != 0 || !strings.Contains(stderr, `MARVIN_COST:{"session_cost":0,"llm_turns":0,`) {
		t.Errorf("with every answer there: exit code %d\n%s", code, stderr)
	}
}

// waitForFile waits until a file that another process writes has the wanted content.
func waitForFile(t *testing.T, path string, wanted func(string) bool) {
	t.Helper()
	var text []byte
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if text, _ = os.ReadFile(path); wanted(string(text)) {
			return
		}
	}
	t.Fatalf("%s stays\n%s", path, text)
}

func TestBatchLeavesOtherFilesAlone(t *testing.T) {
	for name, content := range map[string]string{
		"notes.md": "# Notes\n", "half.txt": "no line break", "rows.jsonl": "{\"id\":1}\n", "prompts.jsonl": `{"id":"a","prompt":"ask a"}`,
	} {
		command := batchOf(t, func(string) modeltest.Step { return modeltest.Text("x") }, prompts("a"), "--output", name)
		path := filepath.Join(command.Dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, stderr, code := ends(t, command)
		if after, _ := os.ReadFile(path); code != 1 || string(after) != content || !strings.Contains(stderr, "choose another file") {
			t.Errorf("%s: exit code %d, now %q\n%s", name, code, after, stderr)
		}
	}
}

func TestBatchTwoRunsDoNotShareAnOutput(t *testing.T) {
	begun := make(chan struct{}, 1)
	command := batchOf(t, func(string) modeltest.Step {
		begun <- struct{}{}
		return modeltest.Hang()
	}, prompts("a"), "--output", "answers.jsonl")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	<-begun
	if _, stderr, code := ends(t, again(command)); code != 1 || !strings.Contains(stderr, "another run is writing to this file") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	command.Process.Kill()
	command.Wait()
}

func TestBatchKeepsWhatIsAnsweredWhenInterrupted(t *testing.T) {
	var hanging sync.WaitGroup
	hanging.Add(2)
	command := batchOf(t, func(prompt string) modeltest.Step {
		if prompt == "ask done" {
			return modeltest.Text("whole")
		}
		hanging.Done()
		return modeltest.Text("half").Append(modeltest.Hang())
	}, prompts("done", "x", "y", "never begun"), "--jobs", "2", "--output", "answers.jsonl")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	hanging.Wait()
	waitForFile(t, filepath.Join(command.Dir, "answers.jsonl"), func(text string) bool { return strings.Count(text, "\n") == 1 })
	command.Process.Signal(syscall.SIGINT)
	begun := time.Now()
	waitFor(t, command)
	t.Logf("ended %s after the signal", time.Since(begun).Round(time.Millisecond))
	text, _ := os.ReadFile(filepath.Join(command.Dir, "answers.jsonl"))
	if got := outcomes(t, string(text)); got != "done completed, x cancelled, y cancelled" && got != "done completed, y cancelled, x cancelled" {
		t.Errorf("the results are %s", got)
	}
	if r := resultsIn(t, string(text))[1]; r.Error != "stopped by a signal; the answers so far are stored" {
		t.Errorf("%+v", r)
	}
	checkCostLine(t, stderr.String())
	if code := command.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "2        cancelled") {
		t.Errorf("exit code %d\n%s", code, stderr.String())
	}
}
