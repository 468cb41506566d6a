package headless_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/headless"
)

// told is a conversation whose events the test defines; err is returned at its end.
type told struct {
	batches chan []messages.Envelope
	sent    []messages.Op
	err     error
}

func (t *told) Send(op messages.Op) { t.sent = append(t.sent, op) }

func (t *told) Next(ctx context.Context) ([]messages.Envelope, error) {
	if batch, ok := <-t.batches; ok {
		return batch, nil
	}
	return nil, t.err
}

// speaks returns a conversation with these events, each in its own batch.
func speaks(err error, events ...messages.Event) *told {
	talk := &told{batches: make(chan []messages.Envelope, len(events)), err: err}
	for i, event := range events {
		talk.batches <- []messages.Envelope{{Seq: uint64(i + 1), Session: "s-1", At: time.Date(2026, 3, 1, 12, 0, i, 0, time.UTC), Event: event}}
	}
	close(talk.batches)
	return talk
}

func TestProgramOutput(t *testing.T) {
	usage := messages.Usage{InputTokens: 7, OutputTokens: 3, Cost: 0.25}
	events := func(outcome messages.Outcome, why string) []messages.Event {
		return []messages.Event{
			messages.Opened{Provider: "groq", Model: "llama"},
			messages.TurnStarted{Prompt: "go"},
			messages.Thinking{Chunk: "hm"},
			messages.Text{Chunk: "One"},
			messages.Waiting{},
			messages.Waiting{Why: "limited: 3 s"},
			messages.Notice{Text: "mind the gap"},
			messages.Text{},
			messages.Text{Chunk: " two\n"},
			messages.Notice{Text: "again"},
			messages.ToolsCalled{Names: []string{"grep", "a\nb"}},
			messages.ToolStarted{Call: "1", Name: "grep"},
			messages.ToolEnded{Call: "1", Name: "grep", Text: "found"},
			messages.PlanChanged{Plan: messages.Plan{Steps: []messages.Step{{Text: "look"}}}},
			messages.Text{Chunk: "three"},
			messages.ToolsCalled{Names: []string{"grep"}},
			messages.UsageChanged{Usage: usage},
			messages.Text{Chunk: "end"},
			messages.Cleared{},
			messages.Resumed{},
			messages.Asked{Ask: "q"},
			messages.TurnEnded{Outcome: outcome, Text: "One two\nthreeend", Err: why, Usage: usage},
			messages.Text{Chunk: "never read"},
		}
	}
	var all strings.Builder
	stream := func(name string) io.Writer {
		return writer(func(text string) { fmt.Fprintf(&all, "%s %q\n", name, text) })
	}
	for _, row := range []struct {
		form     headless.Form
		outcome  messages.Outcome
		why      string
		together bool
	}{
		{headless.Text, messages.Completed, "", false},
		{headless.Text, messages.Completed, "", true},
		{headless.Text, messages.Failed, "it broke", false},
		{headless.Text, messages.Failed, "it broke", true},
		{headless.JSON, messages.Completed, "", true},
		{headless.JSON, messages.Failed, "it broke", false},
		{headless.JSONL, messages.Completed, "", true},
	} {
		fmt.Fprintf(&all, "== %s, %s, on one terminal: %v\n", row.form, row.outcome, row.together)
		talk := speaks(io.EOF, events(row.outcome, row.why)...)
		runner := headless.Runner{Client: talk, Form: row.form, Stdout: stream("out"), Stderr: stream("err"), Together: row.together, Pictures: []messages.Picture{{Name: "a.png"}}}
		if row.together {
			runner.Kept = func() string { return "20260501-kept" }
		}
		result := runner.Run(t.Context(), messages.Say("go on"))
		fmt.Fprintf(&all, "sent %+v\nresult %+v\n", talk.sent, result)
	}
	goldentest.Assert(t, "forms.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// A conversation that ends before its turn is not a success, and the result gives the reason if it
// is known.
func TestAConversationThatEndsEarly(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{{io.EOF, "the run did not end in time"}, {errors.New("the tree fell"), "the tree fell"}} {
		var stdout strings.Builder
		runner := headless.Runner{Client: speaks(row.err, messages.Text{Chunk: "half"}), Form: headless.Text, Stdout: &stdout, Stderr: io.Discard}
		if result := runner.Run(t.Context(), messages.Say("go")); result.Outcome != messages.Failed || result.Err != row.want || stdout.String() != "half" || runner.Grace != 2*time.Second {
			t.Errorf("%+v, %q", result, stdout.String())
		}
	}
}

func TestAnswerWithoutReader(t *testing.T) {
	for _, form := range []headless.Form{headless.Text, headless.JSON, headless.JSONL} {
		talk := speaks(io.EOF, messages.Text{Chunk: strings.Repeat("long ", 4000)}, messages.Notice{Text: "x"}, messages.Text{Chunk: "more"}, messages.TurnEnded{Outcome: messages.Completed, Text: "whole"})
		runner := headless.Runner{Client: talk, Form: form, Stdout: full{}, Stderr: io.Discard}
		result := runner.Run(t.Context(), messages.Say("go"))
		if result.Outcome != messages.Failed || result.Stdout == nil || result.Text != "whole" || len(talk.sent) != 2 || talk.sent[1] != messages.Op(messages.Cancel{}) {
			t.Errorf("%s: %+v, sent %d", form, result, len(talk.sent))
		}
	}
	talk := speaks(io.EOF, messages.TurnEnded{Outcome: messages.Incomplete, Err: "cut"}) // an earlier error stays
	runner := headless.Runner{Client: talk, Form: headless.JSON, Stdout: full{}, Stderr: io.Discard}
	if result := runner.Run(t.Context(), messages.Say("go")); result.Outcome != messages.Incomplete || result.Err != "cut" {
		t.Errorf("%+v", result)
	}
}
