package feed_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"marvin/actors/internal/feed"
	"marvin/messages"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func push(f *feed.Feed, events ...messages.Event) {
	for _, event := range events {
		f.Push(messages.Envelope{Event: event})
	}
}

// describe is a batch in one line per event.
func describe(t *testing.T, batch []messages.Envelope) string {
	t.Helper()
	lines := make([]string, len(batch))
	for i, envelope := range batch {
		lines[i] = strings.TrimPrefix(fmt.Sprintf("%T%v", envelope.Event, envelope.Event), "messages.")
	}
	return strings.Join(lines, " ")
}

func TestTextGathersUntilSomethingElseHappens(t *testing.T) {
	f := feed.New()
	push(f,
		messages.Thinking{Chunk: "hm"}, messages.Thinking{Chunk: "m"},
		messages.Text{Chunk: "a"}, messages.Text{Chunk: "b"}, messages.Text{Chunk: "c"},
		messages.ToolsCalled{Names: []string{"tree"}},
		messages.Text{Chunk: "d"}, messages.Text{Chunk: "e"})
	batch, err := f.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := describe(t, batch), "Thinking{hmm} Text{abc} ToolsCalled{[tree]} Text{de}"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestOutputGathersByCall(t *testing.T) {
	f := feed.New()
	for i := range 3 {
		push(f, messages.ToolOutput{Call: "a", Chunk: fmt.Sprint(i)}, messages.ToolOutput{Call: "b", Chunk: fmt.Sprint(i * 10)})
	}
	push(f, messages.ToolEnded{Call: "a"}, messages.UsageChanged{Usage: messages.Usage{Turns: 1}}, messages.UsageChanged{Usage: messages.Usage{Turns: 2}})
	batch, err := f.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(batch) != 4 {
		t.Fatalf("%d entries: %s", len(batch), describe(t, batch))
	}
	if batch[0].Event != (messages.ToolOutput{Call: "a", Chunk: "012"}) || batch[1].Event != (messages.ToolOutput{Call: "b", Chunk: "01020"}) {
		t.Errorf("outputs: %s", describe(t, batch))
	}
	if batch[3].Event.(messages.UsageChanged).Usage.Turns != 2 {
		t.Errorf("the older sum won: %s", describe(t, batch))
	}
}

func TestNothingIsLostBetweenManyWritersAndASlowReader(t *testing.T) {
	f := feed.New()
	const writers, chunks = 16, 200
	var all sync.WaitGroup
	for writer := range writers {
		all.Go(func() {
			for range chunks {
				push(f, messages.ToolOutput{Call: fmt.Sprint(writer), Chunk: "x"})
			}
			push(f, messages.ToolEnded{Call: fmt.Sprint(writer)})
		})
	}
	go func() { all.Wait(); f.Close() }()
	got, ended := map[string]int{}, 0
	for {
		batch, err := f.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if len(batch) > 2*writers {
			t.Fatalf("%d entries are waiting: not merged", len(batch))
		}
		for _, envelope := range batch {
			switch event := envelope.Event.(type) {
			case messages.ToolOutput:
				got[event.Call] += len(event.Chunk)
			case messages.ToolEnded:
				ended++
				if got[event.Call] != chunks {
					t.Errorf("call %s ended after %d of %d chunks", event.Call, got[event.Call], chunks)
				}
			}
		}
	}
	if ended != writers {
		t.Errorf("%d of %d calls ended", ended, writers)
	}
}

func TestNextEndsWithItsContextAndWithTheFeed(t *testing.T) {
	f := feed.New()
	why := errors.New("no longer interested")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(why)
	if _, err := f.Next(ctx); !errors.Is(err, why) {
		t.Errorf("error %v, want the cause", err)
	}
	push(f, messages.Closed{})
	f.Close()
	push(f, messages.Text{Chunk: "too late"})
	if batch, err := f.Next(t.Context()); err != nil || len(batch) != 1 {
		t.Errorf("what was left: %v, %v", batch, err)
	}
	if _, err := f.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("error %v, want EOF", err)
	}
}
