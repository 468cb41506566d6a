package fleet

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/tools"
)

// seen is the queue of a server in which something happens between two steps of a sender: after it
// found that the subject has a message, and before it reads this message.
type seen struct {
	jetstream.Stream
	before func()
}

func (s *seen) GetLastMsgForSubject(ctx context.Context, subject string) (*jetstream.RawStreamMsg, error) {
	s.before()
	return s.Stream.GetLastMsgForSubject(ctx, subject)
}

func TestWantedAgainBeforeItsAcknowledgement(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t)
	for _, when := range []string{"between", "behind"} {
		t.Run(when, func(t *testing.T) {
			f := opened(t, server, when, func(string) {})
			s, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			prompt := asked("1", "x")
			send(t, s, prompt, false)
			acknowledge := answeredByHand(t, f, prompt)
			if got := collected(t, s, 1)["1"]; got.Text != "the first" {
				t.Fatalf("%+v", got)
			}
			if when == "between" {
				f.prompts = &seen{Stream: f.prompts, before: acknowledge}
			}
			s.Forget("1")
			if result, there := send(t, s, prompt, true); there {
				t.Fatalf("there is %+v", result)
			}
			if when == "behind" {
				acknowledge()
			}
			status, err := f.Status(t.Context())
			if err != nil || status.Batches[0].Waiting != 1 || status.Batches[0].Results != 0 {
				t.Fatalf("%+v, %v", status.Batches, err)
			}
			works(t, &Worker{Fleet: f, About: Announcement{Worker: "w2", Protocol: Protocol, Jobs: 1}, Say: hears(), Answer: func(context.Context, Ask) batch.Result {
				return batch.Result{Outcome: messages.Completed, Text: "the second"}
			}})
			if got := collected(t, s, 1)["1"]; got.Text != "the second" || got.Error != "" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestWantedAgainWhileItIsAnswered(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t)
	f := opened(t, server, "stays", func(string) {})
	s, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	prompt := asked("1", "x")
	waits := func(want uint64) {
		t.Helper()
		info, err := f.prompts.Info(t.Context())
		if err != nil || info.State.Msgs != 1 || info.State.LastSeq != want {
			t.Errorf("%+v, %v", info.State, err)
		}
	}
	send(t, s, prompt, false)
	send(t, s, prompt, true)
	waits(1)
	w := &Worker{Fleet: f, About: Announcement{Worker: "w1"}}
	older := task{Batch: "b1", Sent: time.Now().Add(-time.Hour), Prompt: prompt}
	if err := w.deliver("b1", key("1"), older, batch.Result{Outcome: messages.Completed}); err != nil {
		t.Fatal(err)
	}
	send(t, s, prompt, true)
	waits(1)
}

// answeredByHand does the work of a worker up to the acknowledgement, and returns a function that
// acknowledges.
func answeredByHand(t *testing.T, f *Fleet, prompt batch.Prompt) (acknowledge func()) {
	t.Helper()
	consumer, err := f.prompts.Consumer(t.Context(), "any")
	if err != nil {
		t.Fatal(err)
	}
	message, err := consumer.Next()
	if err != nil {
		t.Fatal(err)
	}
	var job task
	if err := json.Unmarshal(message.Data(), &job); err != nil {
		t.Fatal(err)
	}
	w := &Worker{Fleet: f, About: Announcement{Worker: "w1"}}
	if _, _, err := f.beginAttempt(t.Context(), "b1", key(prompt.ID), "w1", prompt); err != nil {
		t.Fatal(err)
	}
	f.changeRecorder(t.Context(), "b1", key(prompt.ID), prompt)("run_command", tools.Writes)
	if err := w.deliver("b1", key(prompt.ID), job, batch.Result{Outcome: messages.Completed, Text: "the first"}); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := message.DoubleAck(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
