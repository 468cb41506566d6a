package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// batchOf returns the command of a batch of prompts. The model costs $0.20 for a million tokens.
func batchOf(t *testing.T, answer func(prompt string) modeltest.Step, lines []string, args ...string) *exec.Cmd {
	t.Helper()
	command := process(t, func(request modeltest.Request) modeltest.Step { return answer(request.Last().Text) })
	file := filepath.Join(command.Dir, "prompts.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	command.Args = append([]string{"marvin", "batch", file, "--provider", "openai-compat"}, args...)
	return command
}

// again is the same run once more.
func again(command *exec.Cmd) *exec.Cmd {
	next := exec.Command(command.Path)
	next.Args, next.Dir, next.Env = command.Args, command.Dir, command.Env
	return next
}

func prompts(ids ...string) (lines []string) {
	for _, id := range ids {
		lines = append(lines, fmt.Sprintf(`{"id":%q,"prompt":"ask %s"}`, id, id))
	}
	return lines
}

// ends runs a command to its end.
func ends(t *testing.T, command *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	return begins(t, command, patience)()
}

// begins starts a command. ended waits for it, and after the bound reports where it hangs. The test
// kills commands that were never waited for, and prints their output if it failed.
func begins(t *testing.T, command *exec.Cmd, bound time.Duration) (ended func() (stdout, stderr string, code int)) {
	t.Helper()
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	hanging := time.AfterFunc(bound, func() { command.Process.Signal(syscall.SIGQUIT) })
	var awaited atomic.Bool
	wait := sync.OnceFunc(func() { _ = command.Wait() }) // its exit code is returned
	t.Cleanup(func() {
		if awaited.Load() {
			return
		}
		hanging.Stop()
		command.WaitDelay = time.Second // what it started may hold its output
		_ = command.Process.Kill()      // it may have ended
		if wait(); t.Failed() {
			t.Logf("%q, %s, said:\n%s%s", command.Args, command.ProcessState, &out, &problems)
		}
	})
	return func() (string, string, int) {
		awaited.Store(true)
		defer hanging.Stop()
		wait()
		return out.String(), problems.String(), command.ProcessState.ExitCode()
	}
}

// batchResult is a result in the format of docs/batch.md.
type batchResult struct {
	Version int              `json:"v"`
	ID      string           `json:"id"`
	Line    int              `json:"line"`
	Outcome messages.Outcome `json:"outcome"`
	Text    string           `json:"text"`
	Error   string           `json:"error"`
	Usage   messages.Usage   `json:"usage"`
	Cost    float64          `json:"cost"`
	Took    float64          `json:"took"`
}

func resultsIn(t *testing.T, text string) (found []batchResult) {
	t.Helper()
	for line := range strings.Lines(text) {
		var r batchResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		found = append(found, r)
	}
	return found
}

// outcomes returns "id outcome" for each result, in the order of the lines.
func outcomes(t *testing.T, text string) string {
	t.Helper()
	var list []string
	for _, r := range resultsIn(t, text) {
		list = append(list, r.ID+" "+string(r.Outcome))
	}
	return strings.Join(list, ", ")
}

func TestBatchAnswersInTheOrderOfCompletion(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	command := batchOf(t, func(prompt string) modeltest.Step {
		step := modeltest.Text("answer to " + prompt).WithFaults(modeltest.Tokens(500_000, 0, 0))
		if prompt == "ask slow" {
			return modeltest.Pause(gate).Append(step).WithFaults(modeltest.Tokens(500_000, 0, 0))
		}
		return step
	}, prompts("slow", "quick"))
	stdout, stderr := piped(t, command)
	reader := bufio.NewReader(stdout)
	first, err := reader.ReadString('\n')
	close(gate) // the first result is there while the other prompt is still being answered
	rest, _ := io.ReadAll(reader)
	waitFor(t, command)
	all := resultsIn(t, first+string(rest))
	if err != nil || len(all) != 2 || all[0].ID != "quick" || all[1].ID != "slow" {
		t.Fatalf("%v: %+v\n%s", err, all, stderr.String())
	}
	for _, r := range all {
		if r.Version != 1 || r.Outcome != messages.Completed || r.Text != "answer to ask "+r.ID || r.Cost < 0.1 || r.Cost > 0.1001 || r.Usage.Turns != 1 || r.Took <= 0 {
			t.Errorf("%+v", r)
		}
	}
	checkCostLine(t, stderr.String())
	for _, want := range []string{"2        completed", `MARVIN_COST:{"session_cost":0.20000`, `"llm_turns":2,"model_turns":{"qwen/qwen3-32b":2}`} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, stderr.String())
		}
	}
	if strings.ContainsAny(stderr.String(), "\r\x1b") || command.ProcessState.ExitCode() != 0 {
		t.Errorf("exit code %d; where no terminal is there is no bar: %q", command.ProcessState.ExitCode(), stderr.String())
	}
}

func TestBatchTellsBadLinesByTheirNumber(t *testing.T) {
	bad := []struct{ line, want string }{
		{`{"id":"a","prompt":"ask a"}`, ""},
		{`{"id":"half`, "the line is not JSON"},
		{`["a"]`, "the line is a JSON array, not an object"},
		{`{"prompt":"x"}`, `"id" is missing`},
		{`{"id":["x"],"prompt":"x"}`, `"id" is neither text nor a number`},
		{`{"id":"b","prompt":7}`, `"prompt" holds a JSON number, not text`},
		{`{"id":"c","prompt":" "}`, `"prompt" is missing or empty`},
		{`{"id":"a","prompt":"x"}`, `the id "a" is already used in line 1`},
		{`{"id":"d","prompt":"x"} {}`, "text after the JSON object"},
		{`{"id":"e","prompt":"x","working_dir":"nowhere"}`, "working_dir: "},
		{`{"id":"f","prompt":"x","provider":"grok"}`, "grok"},
		{`{"id":"g","prompt":"x","provider":"groq"}`, "no API key for groq"},
		{`{"id":"h","prompt":"` + strings.Repeat("x", 9<<20) + `"}`, "the line is 9 MB long"},
		{`{"id":8,"Prompt":"ask 8"}`, ""},
		{`{"id":"i","prompt":"x","note":"of whoever made the line"}`, `there is no field "note"; the fields are id, prompt, working_dir, provider, model`},
	}
	var lines []string
	for _, b := range bad {
		lines = append(lines, b.line)
	}
	stdout, stderr, code := ends(t, batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("to " + prompt) }, lines))
	if code != 1 {
		t.Errorf("exit code %d", code)
	}
	checkCostLine(t, stderr)
	seen := map[int]batchResult{}
	for _, r := range resultsIn(t, stdout) {
		seen[r.Line] = r
	}
	if len(seen) != len(bad) || seen[1].Text != "to ask a" || seen[14].Text != "to ask 8" || seen[14].ID != "8" {
		t.Errorf("%d lines: %+v, %+v\n%s", len(seen), seen[1], seen[14], stderr)
	}
	for i, b := range bad {
		if b.want != "" && (seen[i+1].Outcome != messages.Failed || !strings.Contains(seen[i+1].Error, b.want)) {
			t.Errorf("line %d: %+v, want %q", i+1, seen[i+1], b.want)
		}
	}
}

// The model and the directory of a line apply to the conversation of that line.
func TestBatchLineChoosesModelAndDirectory(t *testing.T) {
	t.Parallel()
	var models sync.Map
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			models.Store(request.Last().Result.Text, request.Model)
			return modeltest.Text(request.Last().Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "get_working_dir"})
	})
	other := t.TempDir()
	command.Args = []string{"marvin", "batch", "-", "--provider", "openai-compat", "--model", "usual"}
	command.Stdin = strings.NewReader(fmt.Sprintf("{\"id\":1,\"prompt\":\"where\"}\n\n{\"id\":2,\"prompt\":\"where\",\"working_dir\":%q,\"model\":\"other\"}", other))
	stdout, stderr, code := ends(t, command)
	where := map[string]string{}
	for _, r := range resultsIn(t, stdout) {
		where[r.ID] = r.Text
	}
	own, _ := models.Load(where["1"])
	its, _ := models.Load(where["2"])
	if code != 0 || !strings.Contains(where["1"], command.Dir) || !strings.Contains(where["2"], other) || own != "usual" || its != "other" {
		t.Errorf("exit code %d, %q by %v, %q by %v\n%s", code, where["1"], own, where["2"], its, stderr)
	}
}

// At a terminal the last line shows the progress, and disappears at the end.
func TestBatchBarAtATerminal(t *testing.T) {
	t.Parallel()
	p := openPane(t, 100, 30)
	home := filepath.Dir(p.socket)
	p.tmux("pipe-pane", "cat > "+home+"/raw")
	lines := ""
	for i := range 3 {
		lines += fmt.Sprintf("{\"id\":%d,\"prompt\":\"run the command until test -e go%d; do sleep 0.1; done\"}\n", i, i)
	}
	if err := os.WriteFile(filepath.Join(home, "p.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	goes := func(i int) {
		if err := os.WriteFile(filepath.Join(home, fmt.Sprint("go", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	p.press("clear; marvin batch p.jsonl --provider offline; echo en''ded", "Enter")
	p.sees("[        ", "] 0/3, 3 running, $0.0000, ")
	goes(0)
	p.sees("[========                ] 1/3, 2 running")
	waitForFile(t, home+"/raw", func(text string) bool { return strings.Count(text, " running, ") >= 5 }) // time goes by
	goes(1)
	goes(2)
	shown := p.sees("3        completed", "3 prompts in ", "ended")
	elapsed := time.Since(begun)
	if strings.Contains(shown, "running") || strings.Count(shown, `{"v":1,"id":"`) != 3 || strings.Count(shown, "\n{\"v\"") < 2 {
		t.Errorf("in the end:\n%s", shown)
	}
	raw, err := os.ReadFile(home + "/raw")
	if n := strings.Count(string(raw), " running, "); err != nil || n > int(elapsed/(100*time.Millisecond))+2 {
		t.Errorf("drawn %d times in %s, %v", n, elapsed, err)
	}
}
