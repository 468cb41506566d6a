package feed_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

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

// describe returns a batch with one line per event.
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
	if got, want := describe(t, batch), "Thinking{hmm} Text{abc} ToolsCalled{[tree] []} Text{de}"; got != want {
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

// An open entry is closed by an event in between, by the end of its call, and by a read.
func TestFeedMerging(t *testing.T) {
	usage := func(turns int) messages.Event { return messages.UsageChanged{Usage: messages.Usage{Turns: turns}} }
	agent := func(call string, number int, doing string) messages.Event {
		return messages.AgentChanged{Call: call, Agent: number, Doing: doing}
	}
	output := func(call, chunk string) messages.Event { return messages.ToolOutput{Call: call, Chunk: chunk} }
	for name, test := range map[string]struct {
		first, second []messages.Event // the reader reads between the two
		want          []messages.Event
	}{
		"sums":             {first: []messages.Event{usage(1), messages.Text{Chunk: "a"}, usage(2)}, want: []messages.Event{usage(2), messages.Text{Chunk: "a"}}},
		"sums, read":       {first: []messages.Event{usage(1)}, second: []messages.Event{usage(2)}, want: []messages.Event{usage(1), usage(2)}},
		"text around sums": {first: []messages.Event{messages.Text{Chunk: "a"}, usage(1), messages.Text{Chunk: "b"}}, want: []messages.Event{messages.Text{Chunk: "ab"}, usage(1)}},
		"text, read":       {first: []messages.Event{messages.Text{Chunk: "a"}}, second: []messages.Event{messages.Text{Chunk: "b"}}, want: []messages.Event{messages.Text{Chunk: "a"}, messages.Text{Chunk: "b"}}},
		"sub-agents": {
			first: []messages.Event{agent("a", 1, "x"), agent("a", 2, "x"), agent("b", 1, "x"), agent("a", 1, "y"), agent("b", 1, "z")},
			want:  []messages.Event{agent("a", 1, "y"), agent("a", 2, "x"), agent("b", 1, "z")},
		},
		"sub-agents, read":    {first: []messages.Event{agent("a", 1, "x")}, second: []messages.Event{agent("a", 1, "y")}, want: []messages.Event{agent("a", 1, "x"), agent("a", 1, "y")}},
		"text and thoughts":   {first: []messages.Event{messages.Text{Chunk: "a"}, messages.Thinking{Chunk: "b"}, messages.Text{Chunk: "c"}}, want: []messages.Event{messages.Text{Chunk: "a"}, messages.Thinking{Chunk: "b"}, messages.Text{Chunk: "c"}}},
		"output behind ends":  {first: []messages.Event{output("a", "1"), output("b", "1"), messages.ToolEnded{Call: "a"}, output("a", "2"), output("b", "2")}, want: []messages.Event{output("a", "1"), output("b", "12"), messages.ToolEnded{Call: "a"}, output("a", "2")}},
		"text around outputs": {first: []messages.Event{messages.Text{Chunk: "a"}, output("a", "1"), messages.Text{Chunk: "b"}}, want: []messages.Event{messages.Text{Chunk: "ab"}, output("a", "1")}},
	} {
		f := feed.New()
		var got []messages.Envelope
		for _, events := range [][]messages.Event{test.first, test.second} {
			if len(events) == 0 {
				continue
			}
			push(f, events...)
			batch, err := f.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, batch...)
		}
		var want []messages.Envelope
		for _, event := range test.want {
			want = append(want, messages.Envelope{Event: event})
		}
		if describe(t, got) != describe(t, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, describe(t, got), describe(t, want))
		}
	}
}

func TestFeedWakesWaitingReaders(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for name, work := range map[string]func(*feed.Feed){
		"an event": func(f *feed.Feed) { push(f, messages.Closed{}) },
		"the end":  func(f *feed.Feed) { f.Close() },
	} {
		f, asked := feed.New(), make(chan struct{})
		came := make(chan error, 1)
		go func() {
			close(asked)
			_, err := f.Next(ctx)
			came <- err
		}()
		<-asked
		for range 1000 { // long enough that it is most likely waiting
			runtime.Gosched()
		}
		work(f)
		if err := <-came; err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
