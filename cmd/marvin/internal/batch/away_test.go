package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors"
	"marvin/messages"
)

// elsewhere is a remote runner; the text of a prompt decides its outcome.
type elsewhere struct {
	mu    sync.Mutex
	calls []string
	come  chan Result
	ends  error // of collecting
}

func (e *elsewhere) note(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, fmt.Sprintf(format, args...))
}

func (e *elsewhere) Forget(id string) { e.note("forget %s", id) }

func (e *elsewhere) Send(_ context.Context, prompt Prompt, again bool) (Result, bool, error) {
	e.note("send %s to %s %s %v", prompt.ID, prompt.Provider, prompt.Model, again)
	result := Result{ID: prompt.ID, Line: 99, Outcome: messages.Completed, Text: "to " + prompt.Text, Cost: 0.5, Asked: prompt.Asked, Worker: "w"}
	switch prompt.Text {
	case "there":
		return result, true, nil
	case "refused":
		return Result{}, false, RefusedError{Why: "it is too long"}
	case "broken":
		return Result{}, false, errors.New("the server is away")
	case "other":
		result.Asked = "something else"
		e.come <- result
		return Result{}, false, nil
	case "twice":
		e.come <- result
	}
	e.come <- result
	return Result{}, false, nil
}

func (e *elsewhere) Collect(ctx context.Context, take func(Result)) error {
	if e.ends != nil {
		return e.ends
	}
	for {
		select {
		case result := <-e.come:
			take(result)
		case <-ctx.Done():
			return nil
		}
	}
}

func (e *elsewhere) Workers() (running, workers int) { return 3, 2 }

// line is a prompt of a batch.
func line(id, text string) string { return fmt.Sprintf("{\"id\":%q,\"prompt\":%q}\n", id, text) }

func TestOthersAnswerABatch(t *testing.T) {
	away := &elsewhere{come: make(chan Result, 20)}
	lines := line("1", "comes") + line("2", "there") + line("3", "twice") + line("4", "refused") +
		`{"id":"5","prompt":"x","provider":"mine"}` + "\n" + `{"id":"6","prompt":"x","model":"large","label":"gpu"}` + "\n" + `{"id":"7","prompt":"x","images":["a.png"]}` + "\n"
	ended, results, _ := ran(t, lines, func(b *Batch) { b.Away = away })
	if slices.Sort(away.calls); !slices.Equal(away.calls, []string{
		"send 1 to groq llama false", "send 2 to groq llama false", "send 3 to groq llama false", "send 4 to groq llama false", "send 5 to mine  false", "send 6 to groq large false",
	}) {
		t.Errorf("%q", away.calls)
	}
	for number, want := range map[int]string{
		1: "completed to comes ", 2: "completed to there ", 3: "completed to twice ", 4: "failed  it is too long", 5: "completed to x ", 6: "completed to x ",
		7: `failed  "images" names files on this machine, which are not sent to a fleet; run this line in a batch without --fleet`,
	} {
		if got := results[number]; fmt.Sprintf("%s %s %s", got.Outcome, got.Text, got.Error) != want || got.Outcome == messages.Completed && (got.Worker != "w" || got.Cost != 0.5) {
			t.Errorf("line %d: %+v", number, got)
		}
	}
	if len(results) != 7 || ended.Err != nil || ended.Outcome != messages.Failed || results[4].Asked == "" {
		t.Errorf("%d results, %+v", len(results), ended)
	}
}

func TestDetachedBatch(t *testing.T) {
	away := &elsewhere{come: make(chan Result, 20)}
	ended, results, _ := ran(t, line("1", "comes")+line("2", "there")+line("3", "refused"), func(b *Batch) { b.Away, b.Detach = away, true })
	var table strings.Builder
	ended.Table(&table)
	if len(results) != 1 || results[3].Error != "it is too long" || !strings.Contains(table.String(), "\n2        wait in the fleet\n") {
		t.Errorf("%+v, %s", results, table.String())
	}
}

// If the fleet does not answer, the batch ends with the reason.
func TestOthersThatDoNotAnswer(t *testing.T) {
	for want, row := range map[string]struct {
		text string
		away *elsewhere
	}{
		"send the prompt of line 1: the server is away": {"broken", &elsewhere{}},
		"it was cancelled": {"other", &elsewhere{ends: errors.New("it was cancelled")}},
	} {
		row.away.come = make(chan Result, 20)
		ended, results, _ := ran(t, line("1", row.text), func(b *Batch) { b.Away = row.away })
		if ended.Err == nil || ended.Err.Error() != want || ended.Outcome != messages.Failed || len(results) != 0 {
			t.Errorf("%+v, %v", ended, results)
		}
	}
	ctx, signal := context.WithCancel(t.Context())
	b, input, out := running(t, line("1", "other")) // whose answer is that of another prompt
	b.Away, b.Now = &elsewhere{come: make(chan Result, 20)}, time.Now
	away := b.Away.(*elsewhere)
	go func() {
		for len(away.come) == 0 {
			away.mu.Lock()
			sent := len(away.calls)
			away.mu.Unlock()
			if sent > 0 {
				break
			}
		}
		signal()
	}()
	if ended := b.Run(ctx, input, func() error { return nil }); ended.Err == nil || ended.Err.Error() != "stopped by a signal; the answers so far are stored" || out.Len() > 0 {
		t.Errorf("%+v, %s", ended, out)
	}
}

func TestBatchOfOthersContinues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	begin := func(away *elsewhere, lines string) (Ended, string) {
		t.Helper()
		b, input, _ := running(t, lines)
		results, err := OpenResults(path, input, nil, func(line string) { t.Error(line) })
		if err != nil {
			t.Fatal(err)
		}
		defer results.Close()
		b.Results, b.Away, b.Choice = results, away, actors.Choice{Provider: "groq"}
		return b.Run(t.Context(), input, func() error { return nil }), b.Stderr.(*bytes.Buffer).String()
	}
	first, second := &elsewhere{come: make(chan Result, 20)}, &elsewhere{come: make(chan Result, 20)}
	begin(first, line("a", "comes")+line("b", "refused")+line("c", "comes"))
	ended, warned := begin(second, line("a", "comes")+line("b", "refused")+line("c", "comes now"))
	if slices.Sort(second.calls); !slices.Equal(second.calls, []string{"forget b", "send b to groq  true", "send c to groq  false"}) || ended.Err != nil {
		t.Errorf("%q, %v", second.calls, ended.Err)
	}
	if warned != "warning: line 3: the answer stored for the id \"c\" is for a different prompt, so Marvin sends this prompt\n" {
		t.Errorf("%q", warned)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != 5 {
		t.Errorf("%s, %v", text, err)
	}
}

func TestTheLineOfABatch(t *testing.T) {
	now := time.Unix(1000, 0)
	b := &Batch{tally: newTally(func() time.Time { return now })}
	b.tally.begin()
	b.tally.begin()
	b.tally.skip()
	b.tally.spend(0.25)
	b.tally.end(Result{Begun: true, Outcome: messages.Completed})
	for _, row := range []struct {
		after time.Duration
		all   int
		away  Remote
		want  string
	}{
		{0, 0, nil, "2 done, 1 running, $0.2500, 0s"},
		{0, 4, nil, "[============            ] 2/4, 1 running, $0.2500, 0s"},
		{999 * time.Millisecond, 2, nil, "[========================] 2/2, 1 running, $0.2500, 1s"},
		{999 * time.Millisecond, 1, &elsewhere{}, "[========================] 2/1, 3 running, 2 workers, $0.2500, 1s"},
		{time.Second, 5, &elsewhere{}, "[=========               ] 2/5, 3 running, 2 workers, 1.0/s, $0.2500, 1s, about 3s left"},
		{4 * time.Second, 5, nil, "[=========               ] 2/5, 1 running, $0.2500, 4s, about 12s left"},
	} {
		now, b.Away = time.Unix(1000, 0).Add(row.after), row.away
		if got := b.progress(row.all); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
	b.Away = nil
	b.tally.end(Result{Begun: true, Outcome: messages.Failed})
	b.tally.end(Result{Outcome: messages.Cancelled})
	if got := b.progress(0); got != "4 done, 0 running, 2 failed, $0.2500, 4s" {
		t.Error(got)
	}
}
