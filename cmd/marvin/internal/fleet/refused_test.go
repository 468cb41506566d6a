package fleet

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
)

func TestBatchThatCannotBeEncodedFails(t *testing.T) {
	t.Parallel()
	f := opened(t, fleettest.Start(t), "odd", func(string) {})
	if s, err := f.Sender(t.Context(), "b1", Begin{MaxCost: math.Inf(1)}, time.Now); s != nil || err == nil || !strings.Contains(err.Error(), "unsupported value") {
		t.Errorf("%v, %v", s, err)
	}
	w := &Worker{Fleet: f}
	if err := w.deliver("b1", key("1"), task{Prompt: asked("1", "x")}, batch.Result{Outcome: messages.Completed, Cost: math.NaN()}); err == nil {
		t.Error("a result of no cost is stored")
	}
	status, err := f.Status(t.Context())
	if err != nil || len(status.Batches) != 0 {
		t.Errorf("%+v, %v", status, err)
	}
}

func TestServerWithoutListing(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t)
	first := opened(t, server, "made", func(string) {})
	if _, err := first.js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: "KV_few-fleet", Subjects: []string{"$KV.few-fleet.>"}, MaxConsumers: 1, MaxMsgsPerSubject: 1, AllowRollup: true, AllowDirect: true, AllowMsgTTL: true, SubjectDeleteMarkerTTL: time.Minute,
	}); err != nil {
		t.Fatal(err)
	}
	f := opened(t, server, "few", func(string) {})
	if status, err := f.Status(t.Context()); err != nil || len(status.Workers) != 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	looking, err := f.book.Watch(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Status(t.Context()); err == nil || !strings.Contains(err.Error(), "maximum consumers limit reached") {
		t.Errorf("%v", err)
	}
	if told, err := f.Drain(t.Context(), ""); told != 0 || err == nil {
		t.Errorf("%d, %v", told, err)
	}
	if err := looking.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestNotesOfWorkersAreBounded(t *testing.T) {
	t.Parallel()
	said := hears()
	f := opened(t, fleettest.Start(t), "notes", said.say)
	s, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.hearNotes(t.Context())
	for _, text := range append([]string{strings.Repeat("x", 399) + "yz", "two\nlines\x1b[2J", "two\nlines\x1b[2J"}, strings.Split("abcdefghijklmnopqrstuvw", "")...) {
		if err := f.conn.Publish("notes.notes.b1", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.conn.Publish("notes.notes.b2", []byte("of another batch")); err != nil {
		t.Fatal(err)
	}
	if err := f.conn.Flush(); err != nil { // now all of them are here
		t.Fatal(err)
	}
	if err := f.conn.Drain(); err != nil { // delivered before it closes
		t.Fatal(err)
	}
	<-f.life.Done()
	want := append([]string{strings.Repeat("x", 399) + "y", "two lines[2J"}, strings.Split("abcdefghijklmnopqr", "")...)
	if !slices.Equal(said.lines, want) {
		t.Errorf("%d are told: %q", len(said.lines), said.lines)
	}
}
