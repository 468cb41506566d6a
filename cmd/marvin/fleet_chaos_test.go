package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

// Workers and the server are killed at random, and workers are frozen for longer than they may be
// silent. There is one result for each id, none is lost, and the results equal those of a batch on
// one machine. FLEET_PROMPTS sets the number of prompts.
func TestFleetLosesNothingWhenWorkersAndServerDie(t *testing.T) {
	t.Parallel()
	count, seed := 200, uint64(time.Now().UnixNano())
	if text := os.Getenv("FLEET_PROMPTS"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	t.Logf("%d prompts, seed %d", count, seed)
	random := rand.New(rand.NewPCG(seed, 1))
	var asked atomic.Int64
	answer := func(prompt string) modeltest.Step {
		asked.Add(1)
		time.Sleep(50 * time.Millisecond) // the model is slow, not the test
		return modeltest.Text("answer to " + prompt).WithFaults(modeltest.Tokens(1000, 0, 10))
	}
	alone := batchOf(t, answer, manyPrompts(count), "--output", "out.jsonl", "--jobs", "16")
	if _, stderr, code := begins(t, alone, patienceFor(count))(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	want, _ := os.ReadFile(filepath.Join(alone.Dir, "out.jsonl"))
	asked.Store(0)
	f := newFleet(t, answer, manyPrompts(count), "--output", "out.jsonl")
	workers := make([]*fleetWorker, 8)
	for i := range workers {
		workers[i] = f.worker("--jobs", "2")
	}
	path := filepath.Join(f.batch.Dir, "out.jsonl")
	ended := begins(t, f.batch, patienceFor(count))
	events := f.disturb(random, workers, path, count)
	_, stderr, _ := ended()
	got, _ := os.ReadFile(path)
	different(t, comparable(t, string(got)), comparable(t, string(want)))
	if again := f.asideOf(t, string(got)); len(again) > 0 {
		t.Logf("set aside: %s", again)
	}
	t.Logf("%s; the model was asked %d times", events, asked.Load())
	if t.Failed() {
		t.Log(stderr)
	}
	checkCostLine(t, stderr)
}

// patienceFor so many prompts.
func patienceFor(count int) time.Duration {
	return patience + time.Duration(count)*50*time.Millisecond
}

// asideOf returns the prompts that failed because three workers died on them, which can happen by
// chance.
func (f *fleetOf) asideOf(t *testing.T, text string) (ids []string) {
	for _, r := range resultsIn(t, text) {
		if r.Outcome != messages.Completed {
			ids = append(ids, r.ID+": "+r.Error)
		}
	}
	return ids
}

// disturb kills or freezes something ten times, each time after some more results.
func (f *fleetOf) disturb(random *rand.Rand, workers []*fleetWorker, path string, count int) string {
	var kills, freezes, crashes int
	var frozen sync.WaitGroup
	for i := range 10 {
		waitForFile(f.t, path, func(text string) bool { return strings.Count(text, "\n") >= count*(i+1)/12 })
		switch n := random.IntN(len(workers)); i % 5 {
		case 0, 3:
			kills++
			workers[n].kill()
			workers[n] = f.worker("--jobs", "2")
		case 1:
			freezes++
			victim := workers[n]
			_ = victim.Process.Signal(syscall.SIGSTOP)
			frozen.Go(func() {
				time.Sleep(5 * time.Second) // longer than it may be silent
				_ = victim.Process.Signal(syscall.SIGCONT)
			})
		default:
			crashes++
			f.server.Kill()
			f.server.Start()
		}
	}
	frozen.Wait()
	return fmt.Sprintf("%d workers killed, %d frozen, the server killed %d times", kills, freezes, crashes)
}

// A prompt that kills three workers fails, and its result says so.
func TestFleetSetsAPoisonPromptAside(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	f := newFleet(t, func(prompt string) modeltest.Step {
		if prompt == "ask poison" {
			begun <- struct{}{}
			return modeltest.Hang()
		}
		return modeltest.Text("fine")
	}, prompts("poison", "other"), "--output", "out.jsonl")
	ended := begins(t, f.batch, patience)
	for range 3 {
		w := f.worker()
		answering(t, begun)
		w.kill()
	}
	f.worker()
	stdout, stderr, code := ended()
	text, _ := os.ReadFile(filepath.Join(f.batch.Dir, "out.jsonl"))
	if !strings.Contains(string(text), "set aside: 3 workers died or froze while answering this prompt (w1, w2, w3)") || len(comparable(t, string(text))) != 2 {
		t.Errorf("exit code %d\n%s\n%s\n%s", code, text, stdout, stderr)
	}
}

func TestFleetDoesNotRepeatWhatHasEffects(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 4)
	var repeated atomic.Int32
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role != messages.Tool {
			if strings.Contains(request.Last().Text, "again") && repeated.Add(1) > 1 {
				return modeltest.Text("the second time")
			}
			return modeltest.Calls(modeltest.Call{Name: "create_file", Args: `{"path":"made.txt","content":"x"}`})
		}
		begun <- struct{}{}
		return modeltest.Hang()
	})
	server := fleettest.Start(t)
	file := filepath.Join(command.Dir, "p.jsonl")
	if err := os.WriteFile(file, []byte(`{"id":"once","prompt":"once"}`+"\n"+`{"id":"again","prompt":"again","repeat":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	command.Args = []string{"marvin", "batch", file, "--fleet", server.URL(), "--away", "1s"}
	f := &fleetOf{t: t, server: server, batch: command}
	ended := begins(t, command, patience)
	w := f.worker()
	answering(t, begun)
	answering(t, begun)
	w.kill()
	f.worker()
	stdout, _, _ := ended()
	for _, r := range resultsIn(t, stdout) {
		switch r.ID {
		case "once":
			if r.Outcome != messages.Incomplete || !strings.Contains(r.Error, "half done: worker w1 died or froze after it had begun create_file; Marvin does not repeat the prompt") {
				t.Errorf("%+v", r)
			}
		case "again":
			if r.Outcome != messages.Completed || r.Text != "the second time" {
				t.Errorf("%+v", r)
			}
		}
	}
	if len(resultsIn(t, stdout)) != 2 {
		t.Errorf("%s", stdout)
	}
}
