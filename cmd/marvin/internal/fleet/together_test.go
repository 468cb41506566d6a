package fleet

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
)

// told collects the messages for the user.
type told struct {
	mu    sync.Mutex
	lines []string
	grew  chan struct{}
}

func hears() *told { return &told{grew: make(chan struct{}, 100)} }

func (s *told) say(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
	select {
	case s.grew <- struct{}{}:
	default:
	}
}

func (s *told) Write(text []byte) (int, error) {
	s.say(strings.TrimSuffix(string(text), "\n"))
	return len(text), nil
}

// await waits until a line was said.
func (s *told) await(t *testing.T, line string) {
	t.Helper()
	for {
		s.mu.Lock()
		said := slices.Clone(s.lines)
		s.mu.Unlock()
		if slices.Contains(said, line) {
			return
		}
		select {
		case <-s.grew:
		case <-time.After(actorstest.Patience):
			t.Fatalf("%q was never said, but %q", line, said)
		}
	}
}

// opened is a fleet of its own on a server.
func opened(t *testing.T, server *fleettest.Server, stream string, say func(string)) *Fleet {
	t.Helper()
	f, err := Open(t.Context(), Address{Servers: server.URL(), Stream: stream, Name: "test", Say: say})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// works starts a worker. The returned function drains it.
func works(t *testing.T, w *Worker) (drain func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	drain = sync.OnceFunc(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the worker ended with %v", err)
		}
	})
	t.Cleanup(drain)
	return drain
}

// asked is a prompt of a batch.
func asked(id, text string) (prompt batch.Prompt) {
	prompt.ID, prompt.Text, prompt.Asked, prompt.Line = id, text, "asked:"+text, 7
	return prompt
}

// collected reads results until there are count of them, and returns them by id.
func collected(t *testing.T, s *Sender, count int) map[string]batch.Result {
	t.Helper()
	ctx, enough := context.WithTimeout(t.Context(), actorstest.Patience)
	defer enough()
	all := map[string]batch.Result{}
	if err := s.Collect(ctx, func(one batch.Result) {
		if all[one.ID] = one; len(all) == count {
			enough()
		}
	}); err != nil || len(all) != count {
		t.Fatalf("%v behind %v", err, all)
	}
	return all
}

func send(t *testing.T, s *Sender, prompt batch.Prompt, again bool) (batch.Result, bool) {
	t.Helper()
	result, there, err := s.Send(t.Context(), prompt, again)
	if err != nil {
		t.Fatal(err)
	}
	return result, there
}

// emptied waits until no message of a batch is in the queue, not even answered ones.
func emptied(t *testing.T, f *Fleet) {
	t.Helper()
	for {
		info, err := f.prompts.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.State.Msgs == 0 {
			return
		}
	}
}
