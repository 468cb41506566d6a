package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// command runs marvin fleet.
func (f *fleetOf) command(t *testing.T, args ...string) string {
	t.Helper()
	command := again(f.batch)
	command.Args = append([]string{"marvin", "fleet", args[0], "--fleet", f.server.URL()}, args[1:]...)
	stdout, stderr, code := ends(t, command)
	if code != 0 {
		t.Fatalf("marvin fleet %q: exit code %d\n%s", args, code, stderr)
	}
	return stdout
}

// fleetStanding is the output of marvin fleet status, as in docs/fleet.md.
type fleetStanding struct {
	Workers []struct {
		Worker  string `json:"worker"`
		Running int    `json:"running"`
	} `json:"workers"`
	Batches []struct {
		Batch   string  `json:"batch"`
		State   string  `json:"state"`
		Waiting int     `json:"waiting"`
		Results int     `json:"results"`
		Spent   float64 `json:"spent"`
	} `json:"batches"`
}

func (f *fleetOf) standing(t *testing.T) (s fleetStanding) {
	t.Helper()
	if err := json.Unmarshal([]byte(f.command(t, "status", "--output", "json")), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFleetHasOneBudget(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	f := newFleet(t, func(string) modeltest.Step {
		asked.Add(1)
		return modeltest.Text("x").WithFaults(modeltest.Tokens(500_000, 0, 0)) // $0.10
	}, manyPrompts(20), "--output", "out.jsonl", "--batch", "dear", "--max-cost", "0.55")
	f.worker("--jobs", "2")
	f.worker("--jobs", "2")
	if _, stderr, code := ends(t, again(f.batch)); code != 1 || !strings.Contains(stderr, "the cost limit of the batch is reached") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if n := asked.Load(); n < 5 || n > 6 {
		t.Errorf("%d prompts were asked with money for five and a half", n)
	}
	if s := f.standing(t); len(s.Batches) != 1 || s.Batches[0].State != "spent" || s.Batches[0].Waiting != 0 || s.Batches[0].Spent > 0.601 {
		t.Errorf("%+v", s)
	}
	f.batch.Args[len(f.batch.Args)-1] = "9"
	if _, stderr, code := ends(t, again(f.batch)); code != 0 {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if n := asked.Load(); n < 20 || n > 22 {
		t.Errorf("%d prompts were asked in the end", n)
	}
}

// A cancelled batch ends at the sender and at the workers. A drained worker completes its prompts
// and leaves.
func TestFleetCancelsAndDrains(t *testing.T) {
	t.Parallel()
	begun, gate := make(chan struct{}, 10), make(chan struct{})
	f := newFleet(t, func(prompt string) modeltest.Step {
		begun <- struct{}{}
		if prompt == "ask slow" {
			return modeltest.Pause(gate).Append(modeltest.Text("whole"))
		}
		return modeltest.Hang()
	}, prompts("1", "2", "3", "4"), "--batch", "night")
	w := f.worker("--jobs", "2")
	ended := begins(t, f.batch, patience)
	answering(t, begun)
	answering(t, begun)
	f.command(t, "cancel", "night")
	if _, stderr, code := ended(); code != 1 || !strings.Contains(stderr, "the batch was cancelled") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	slow := again(f.batch)
	file := slow.Dir + "/slow.jsonl"
	if err := os.WriteFile(file, []byte(prompts("slow")[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	slow.Args = []string{"marvin", "batch", file, "--fleet", f.server.URL()}
	ended = begins(t, slow, patience)
	answering(t, begun)
	f.command(t, "drain", "w1")
	waitForFile(t, w.log, func(text string) bool { return strings.Contains(text, "draining: 1 prompt still being answered") })
	close(gate)
	if stdout, _, _ := ended(); !strings.Contains(stdout, `"text":"whole"`) {
		t.Errorf("%s", stdout)
	}
	waitFor(t, w.Cmd)
	if s := f.standing(t); len(s.Workers) != 0 {
		t.Errorf("%+v", s)
	}
	if w.ProcessState.ExitCode() != 0 {
		t.Errorf("the worker ended with %d\n%s", w.ProcessState.ExitCode(), w.said())
	}
}

// A worker leaves a prompt of another protocol version in the queue and reports it. Two fleets on
// one server do not see each other. Text of a stranger among the results is ignored.
func TestFleetKeepsToItsOwn(t *testing.T) {
	t.Parallel()
	f := newFleet(t, func(string) modeltest.Step { return modeltest.Text("mine") }, prompts("1"), "--batch", "one", "--stream", "left")
	f.batch.Args = slices.Delete(f.batch.Args, 3, 5) // --provider, by which it would not be for any worker
	f.batch.Env = append(f.batch.Env, "LLM_PROVIDER=openai-compat")
	stranger := again(f.batch)
	stranger.Args = []string{"marvin", "worker", "--fleet", f.server.URL(), "--stream", "right", "--name", "other", "--provider", "openai-compat"}
	other := &fleetWorker{Cmd: stranger}
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.kill)
	detached := again(f.batch)
	detached.Args = append(detached.Args, "--detach")
	ends(t, detached)
	conn, err := nats.Connect(f.server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	notes, err := conn.SubscribeSync("left.notes.one")
	if err != nil {
		t.Fatal(err)
	}
	future := nats.NewMsg("left.prompts.any.one.ffffffffffffffffffffffffffffffff")
	future.Header.Set("Marvin-Protocol", "2")
	future.Data = []byte(`{"v":2,"something":"new"}`)
	if _, err := conn.RequestMsg(future, patience); err != nil {
		t.Fatal(err)
	}
	for _, forged := range []string{`{"v":1,"worker":"\u001b[2Jevil","asked":"x","result":{"id":"1","outcome":"completed","text":"forged"}}`, "no JSON"} {
		if _, err := conn.Request("left.results.one.00000000000000000000000000000000", []byte(forged), patience); err != nil {
			t.Fatal(err)
		}
	}
	w := f.worker("--stream", "left")
	note, err := notes.NextMsg(patience)
	if err != nil || !strings.Contains(string(note.Data), `version "2" of the fleet's protocol, but worker w1 uses version 1; the prompt waits for another worker`) {
		t.Errorf("%v, %+v\n%s", err, note, w.said())
	}
	stdout, stderr, code := ends(t, f.batch)
	if code != 0 || strings.Count(stdout, "\n") != 1 || !strings.Contains(stdout, `"text":"mine"`) {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	all := again(f.batch)
	all.Args = []string{"marvin", "fleet", "results", "--fleet", f.server.URL(), "--stream", "left", "one"}
	if stored, said, code := ends(t, all); code != 0 || stored != stdout || !strings.Contains(said, "is ignored: the message's subject and the result name different prompts") {
		t.Errorf("exit code %d\n%s%s", code, stored, said)
	}
	other.Process.Signal(syscall.SIGTERM)
	waitFor(t, other.Cmd)
	if r := resultsIn(t, stdout)[0]; r.Outcome != messages.Completed {
		t.Errorf("%+v", r)
	}
}
