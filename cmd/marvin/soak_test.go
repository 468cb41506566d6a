package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/providers/modeltest"
)

const soakAgents = 20

// soaked is a Marvin that runs for a long time. The whole tree is in this process, so that its
// memory can be examined.
type soaked struct {
	t        *testing.T
	client   *actors.Client
	home     string
	outcomes map[messages.Outcome]int
	compacts int
}

// holding holds the resources that a Marvin uses between two turns.
type holding struct {
	heap              uint64
	goroutines, files int
	disk              int64
}

const heapSlack = 4 << 20

// grown reports whether Marvin uses more resources than before, beyond noise.
func (h holding) grown(before holding) bool {
	return h.heap > before.heap+heapSlack || h.goroutines > before.goroutines+2 || h.files > before.files+2
}

const hugeAnswer = 1 << 20

// hugeAnswers counts the huge answers that were sent. Each is stored completely as an artifact,
// once.
var hugeAnswers atomic.Int64

// troubled is a model that delegates every prompt to 20 sub-agents. Each runs a tool, and one
// answer in odds is broken.
func troubled(request modeltest.Request, odds int) modeltest.Step {
	answer := modeltest.Text(strings.Repeat("word ", 100), "done")
	switch last := request.Last(); {
	case len(request.Tools) == 0: // a summary
	case last.Role != messages.Tool && strings.HasPrefix(last.Text, "turn"):
		tasks := make([]map[string]string, soakAgents)
		for i := range tasks {
			tasks[i] = map[string]string{"prompt": fmt.Sprintf("look at file %c", 'a'+i)}
		}
		return modeltest.Calls(modeltest.Call{Name: "launch_agent", Args: map[string]any{"tasks": tasks, "parallel": soakAgents}})
	case last.Role != messages.Tool:
		answer = modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "seq 300"}}, modeltest.Call{Name: "tree", Args: map[string]any{}})
	}
	if rand.IntN(odds) > 0 {
		return answer
	}
	const hugeFault = 0
	faults := []modeltest.Step{
		modeltest.HugeLine(hugeAnswer), modeltest.Status(503, `{"error":{"message":"busy"}}`), modeltest.Status(429, `{"error":{"message":"slow down"}}`, "Retry-After", "0"),
		modeltest.Text("half of it").Append(modeltest.Drop()), modeltest.Text("half of it").Append(modeltest.End()), modeltest.Malformed(),
		modeltest.ErrorEvent("overloaded"), modeltest.Reset(), modeltest.Garbled("a", "b"),
	}
	fault := rand.IntN(len(faults))
	if fault == hugeFault {
		hugeAnswers.Add(1)
	}
	return faults[fault]
}

func TestSoak(t *testing.T) {
	limit, odds := time.Second, 300 // each fault takes a second or more to be mended
	if text := os.Getenv("SOAK"); text != "" {
		var err error
		odds = 60
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	s := soak(t, odds)
	for range 3 {
		s.turn()
	}
	first, begun, turns, huge := s.holds(), time.Now(), 0, hugeAnswers.Load()
	for ; time.Since(begun) < limit || turns < 3; turns++ {
		s.turn()
	}
	last := s.holds()
	// Memory for pending writes, or for work that waits for an idle moment, is not a leak.
	for deadline := time.Now().Add(patience); last.grown(first) && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		last = s.holds()
	}
	t.Logf("%d turns with %d sub-agents each (%v, %d compactions): heap %+.1f MB of %.1f, goroutines %+d of %d, files %+d of %d, disk %+d KB a turn",
		turns, soakAgents, s.outcomes, s.compacts, (float64(last.heap)-float64(first.heap))/1e6, float64(first.heap)/1e6,
		last.goroutines-first.goroutines, first.goroutines, last.files-first.files, first.files, (last.disk-first.disk)>>10/int64(turns))
	if last.heap > first.heap+heapSlack {
		t.Errorf("the heap grew from %d to %d bytes", first.heap, last.heap)
	}
	if last.goroutines > first.goroutines+2 {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d goroutines became %d:\n%s", first.goroutines, last.goroutines, bytes.TrimSpace(stacks[:runtime.Stack(stacks, true)]))
	}
	if last.files > first.files+2 {
		t.Errorf("%d open files became %d", first.files, last.files)
	}
	huge = hugeAnswers.Load() - huge
	if grown := (last.disk - first.disk - huge*hugeAnswer) / int64(turns); grown > 256<<10 {
		t.Errorf("each turn leaves %d KB on the disk", grown>>10)
	}
	if s.compacts == 0 || s.outcomes[messages.Completed] == 0 {
		t.Errorf("%d compactions, %v: the test is broken", s.compacts, s.outcomes)
	}
}

func soak(t *testing.T, odds int) *soaked {
	server := httptest.NewUnstartedServer(modeltest.New(func(request modeltest.Request) modeltest.Step { return troubled(request, odds) }).Forgetful())
	server.Config.SetKeepAlivesEnabled(false) // a connection that waits would count as a leak
	server.Start()
	t.Cleanup(server.Close)
	home, dir := t.TempDir(), t.TempDir()
	state := filepath.Join(home, ".config", "marvin")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte("context: {warn: 10000, compact: 11000, refuse: 60000}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{
		"HOME": home, "PATH": os.Getenv("PATH"), "OPENAI_COMPAT_URL": server.URL + "/v1", "OPENAI_COMPAT_API_KEY": "a-key-of-the-soak",
		"MARVIN_SUBAGENT_LOG": filepath.Join(home, "audit.jsonl"),
	}
	var environ []string
	for name, value := range variables {
		environ = append(environ, name+"="+value)
	}
	parts, err := app.New(cli.World{
		Home: home, Dir: dir, Environ: environ, Getenv: func(name string) string { return variables[name] }, Now: time.Now,
		Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer),
	}, cli.Options{Provider: "openai-compat", WorkingDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	parts.Config.Problem = func(err error) { t.Error(err) }
	system := actors.Start(parts.Config)
	client, err := system.Open(parts.Conversation(actors.Policy{Coding: true, Persist: true}, nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := system.Stop(); err != nil {
			t.Error(err)
		}
		parts.Close()
	})
	return &soaked{t: t, client: client, home: home, outcomes: map[messages.Outcome]int{}}
}

// turn sends one prompt and waits for the end of the turn, whatever its outcome.
func (s *soaked) turn() {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), patience)
	defer stop()
	s.client.Send(messages.Say("turn"))
	for {
		events, err := s.client.Next(ctx)
		if err != nil {
			s.t.Fatalf("the turn does not end: %v", err)
		}
		for _, envelope := range events {
			switch event := envelope.Event.(type) {
			case messages.Compacted:
				s.compacts++
			case messages.TurnEnded:
				s.outcomes[event.Outcome]++
				return
			}
		}
	}
}

// holds waits until nothing ends any more.
func (s *soaked) holds() (now holding) {
	for settled, before := 0, -1; settled < 5; time.Sleep(20 * time.Millisecond) {
		if now.goroutines = runtime.NumGoroutine(); now.goroutines == before {
			settled++
		} else {
			settled, before = 0, now.goroutines
		}
	}
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	now.heap = memory.HeapAlloc
	entries, _ := os.ReadDir("/proc/self/fd")
	now.files = len(entries)
	_ = filepath.WalkDir(s.home, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				now.disk += info.Size()
			}
		}
		return err
	})
	return now
}
