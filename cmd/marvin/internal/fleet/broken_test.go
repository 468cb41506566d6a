package fleet

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"marvin/actors/actorstest"
	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/tools"
)

func TestMissingServerStreamIsReported(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t)
	for stream, wanted := range map[string]string{
		"-prompts":  "status drain send cancel count again resumed queued need",
		"-results":  "status drain results clear look count again resumed answered",
		"KV_-fleet": "status sender send results cancel clear count drain account try amend worker need resumed",
	} {
		name := "gone" + strings.Trim(strings.ToLower(stream), "_-")
		f := opened(t, server, name, func(string) {})
		s, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		send(t, s, asked("waits", "x"), false)
		resumed, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer resumed.Close()
		w := &Worker{Fleet: f, About: Announcement{Worker: "w1"}, running: map[string]map[string]context.CancelCauseFunc{}, batches: map[string]Begin{}}
		gone := name + stream
		if base, kv := strings.CutPrefix(stream, "KV_"); kv {
			gone = "KV_" + name + base
		}
		if err := f.js.DeleteStream(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
		other := asked("2", "else")
		other.Label = "gpu" // a demand that no consumer is there for
		for _, call := range []struct {
			name string
			does func(ctx context.Context) error
		}{
			{"status", func(ctx context.Context) error { _, err := f.Status(ctx); return err }},
			{"sender", func(ctx context.Context) error { _, err := f.Sender(ctx, "b2", Begin{}, time.Now); return err }},
			{"send", func(ctx context.Context) error {
				_, _, err := s.Send(ctx, other, false)
				return err
			}},
			{"results", func(ctx context.Context) error { return f.Results(ctx, "b1", func(batch.Result) error { return nil }) }},
			{"drain", func(ctx context.Context) error { _, err := f.Drain(ctx, ""); return err }},
			{"look", func(ctx context.Context) error {
				_, err := s.existingResult(ctx, asked("waits", "x"), false)
				return err
			}},
			{"count", func(ctx context.Context) error { return f.count(ctx, &Standing{ID: "b1"}) }},
			{"again", func(ctx context.Context) error {
				_, _, err := s.Send(ctx, asked("waits", "x"), true)
				return err
			}},
			{"resumed", func(ctx context.Context) error {
				_, _, err := resumed.Send(ctx, asked("n", "x"), false)
				return err
			}},
			{"queued", func(ctx context.Context) error {
				_, _, err := s.Send(ctx, asked("3", "x"), false)
				return err
			}},
			{"account", func(ctx context.Context) error { _, err := w.account(ctx, "b1", "k", 1); return err }},
			{"try", func(ctx context.Context) error { _, _, err := f.beginAttempt(ctx, "b1", "k", "w1", other); return err }},
			{"amend", func(ctx context.Context) error { return f.endAtLimit(ctx, "b1") }},
			{"need", func(ctx context.Context) error { _, err := s.ensureConsumer(ctx, other); return err }},
			{"worker", func(ctx context.Context) error {
				done, stop := context.WithCancel(ctx)
				stop()
				return (&Worker{Fleet: f, About: Announcement{Worker: "w2"}}).Run(done)
			}},
			{"answered", func(ctx context.Context) error { _, err := w.answered(ctx, "b1", key("n"), task{}); return err }},
			{"cancel", func(ctx context.Context) error { return f.Cancel(ctx, "b1") }},
			{"clear", func(ctx context.Context) error { return f.Clear(ctx, "b1") }},
		} {
			if call.name == "worker" && stream != "KV_-fleet" {
				continue
			}
			fails := strings.Contains(" "+wanted+" ", " "+call.name+" ")
			ctx, stop := context.WithTimeout(t.Context(), actorstest.Patience)
			if fails { // some are tried until they may not be any more
				stop()
				ctx, stop = context.WithTimeout(t.Context(), 60*time.Millisecond)
			}
			err := call.does(ctx)
			if stop(); (err != nil) != fails {
				t.Errorf("without %s %s says %v", gone, call.name, err)
			}
		}
	}
}

func TestAPromptThatWasBegunBefore(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t)
	f := opened(t, server, "tried", func(string) {})
	prompt := asked("1", "x")
	begins := func(k, worker, aside string, tools int) {
		t.Helper()
		was, why, err := f.beginAttempt(t.Context(), "b1", k, worker, prompt)
		if err != nil || why != aside || len(was.Tools) != tools {
			t.Errorf("%s begins %s: %q, %v, %v", worker, k, why, was, err)
		}
	}
	begins("k", "w1", "", 0)
	begins("k", "w2", "", 0)
	intends := f.changeRecorder(t.Context(), "b1", "k", prompt)
	for i := range 25 {
		intends("tool"+string(rune('a'+i)), tools.Writes)
		intends("toola", tools.Writes)
	}
	names := "toola, toolb, toolc, toold, toole, toolf, toolg, toolh, tooli, toolj, toolk, tooll, toolm, tooln, toolo, toolp, toolq, toolr, tools, toolt"
	half := "half done: worker w2 died or froze after it had begun " + names + `; Marvin does not repeat the prompt, because its line has no "repeat":true`
	begins("k", "w3", half, 20)
	begins("k", "w4", half, 20) // the one before did not begin
	prompt.Git = "https://example.com/x"
	f.changeRecorder(t.Context(), "b1", "k2", prompt)("in its checkout", tools.Writes)
	begins("k2", "w1", "", 0)
	begins("k2", "w2", "", 0)
	begins("k2", "w1", "", 0)
	begins("k2", "w9", "set aside: 3 workers died or froze while answering this prompt (w1, w2, w1)", 0)
	f.forgetTries(t.Context(), "b1", "k2")
	begins("k2", "w9", "", 0)
	if _, err := f.book.Put(t.Context(), "tries.b1.odd", []byte("{")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.beginAttempt(t.Context(), "b1", "odd", "w1", prompt); err == nil || err.Error() != "tries.b1.odd: unexpected end of JSON input" {
		t.Errorf("%v", err)
	}
	s, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	prompt.Git = ""
	for _, id := range []string{"1", "3"} {
		prompt.ID = id
		for range 3 {
			_, _, err := f.beginAttempt(t.Context(), "b1", key(id), "w1", prompt)
			if err != nil {
				t.Fatal(err)
			}
		}
		send(t, s, prompt, false)
	}
	f.changeRecorder(t.Context(), "b1", key("3"), prompt)("rm", tools.Writes)
	works(t, &Worker{Fleet: f, About: Announcement{Worker: "w5", Protocol: Protocol, Jobs: 1}, Say: hears(), Answer: func(context.Context, Ask) batch.Result {
		t.Error("it was asked again")
		return batch.Result{}
	}})
	for id, outcome := range map[string]messages.Outcome{"1": messages.Failed, "3": messages.Incomplete} {
		if got := collected(t, s, 2)[id]; got.Outcome != outcome || got.Error != "set aside: 3 workers died or froze while answering this prompt (w1, w1, w1)" || got.Worker != "w5" || got.Line != 7 {
			t.Errorf("%+v", got)
		}
	}
}

func TestABatchEndsAtItsLimit(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t)
	f := opened(t, server, "dear", func(string) {})
	s, err := f.Sender(t.Context(), "b1", Begin{MaxCost: 1}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	send(t, s, asked("waits", "x"), false)
	w := &Worker{Fleet: f, About: Announcement{Worker: "w1"}, running: map[string]map[string]context.CancelCauseFunc{}, batches: map[string]Begin{}}
	free, err := w.account(t.Context(), "b1", "k", 0)
	if err != nil || free.left != 0 {
		t.Fatalf("%+v, %v", free, err)
	}
	free.spend(9) // counts nowhere
	free.close()
	standing := func(spent float64, is state) {
		t.Helper()
		status, err := f.Status(t.Context())
		if err != nil || status.Batches[0].Spent != spent || status.Batches[0].State != is {
			t.Errorf("%+v, %v", status.Batches, err)
		}
	}
	standing(0, open)
	first, err := w.account(t.Context(), "b1", "k1", 1)
	if err != nil || first.left != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if _, err := w.account(over, "b1", "k2", 1); err == nil { // until it is known what one costs
		t.Error("a second prompt begins")
	}
	first.spend(0.015625) // less than a fiftieth
	standing(0, open)
	first.spend(0.25)
	standing(0.265625, open)
	first.spend(0.015625)
	first.close()
	standing(0.28125, open)
	second, err := w.account(t.Context(), "b1", "k2", 1)
	if err != nil || second.left != 0.71875 {
		t.Fatalf("%+v, %v", second, err)
	}
	third, err := w.account(t.Context(), "b1", "k3", 1)
	if err != nil || third.left != 0.71875 {
		t.Fatalf("%+v, %v", third, err)
	}
	second.spend(0.71875)
	standing(1, exhausted)
	if _, err := w.account(t.Context(), "b1", "k4", 1); !errors.Is(err, errLater) || errors.Is(err, errTurn) {
		t.Errorf("with nothing left: %v", err)
	}
	if more, err := w.account(t.Context(), "b1", "k4", 2); err == nil { // its sender says more
		if more.left != 1 {
			t.Errorf("%+v", more)
		}
		more.close()
	} else {
		t.Error(err)
	}
	if err := s.Collect(t.Context(), func(batch.Result) {}); !errors.Is(err, errExhausted) {
		t.Errorf("who waits hears %v", err)
	}
	info, err := f.prompts.Info(t.Context(), jetstream.WithSubjectFilter(">"))
	if err != nil || info.State.Msgs != 0 {
		t.Errorf("%+v, %v", info, err)
	}
	if err := f.Cancel(t.Context(), "b1"); err != nil {
		t.Fatal(err)
	}
	if err := f.endAtLimit(t.Context(), "b1"); err != nil { // it is over already
		t.Fatal(err)
	}
	standing(1, cancelled)
}
