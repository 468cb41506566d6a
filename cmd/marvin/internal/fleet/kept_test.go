package fleet

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
)

// Stored results can be read, except results that do not fit. An unknown batch is an error. A
// cancelled batch leaves nothing in the queue, and a cleared batch leaves nothing at all.
func TestStoredBatch(t *testing.T) {
	t.Parallel()
	server, said := fleettest.Start(t), hears()
	f := opened(t, server, "kept", said.say)
	s, err := f.Sender(t.Context(), "b1", Begin{At: time.Unix(1, 0)}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, id := range []string{"a b", ""} {
		if _, err := f.Sender(t.Context(), id, Begin{}, time.Now); err == nil || err.Error() != fmt.Sprintf("%q is not a valid batch name; a name consists of letters, digits, - and _", id) {
			t.Errorf("%v", err)
		}
	}
	send(t, s, asked("waits", "x"), false)
	send(t, s, asked("waits", "x"), false)    // it does already
	send(t, s, asked("waits", "else"), false) // gives way to this
	w := &Worker{Fleet: f, About: Announcement{Worker: "w9"}, Say: io.Discard}
	stored := func(id string, outcome messages.Outcome) {
		t.Helper()
		if err := w.deliver("b1", key(id), task{Prompt: asked(id, "x")}, batch.Result{Outcome: outcome}); err != nil {
			t.Fatal(err)
		}
	}
	stored("good", messages.Failed)
	stored("good", messages.Completed) // the first counts
	stored("bad", "great")
	read := func(id string) (all []string, err error) {
		err = f.Results(t.Context(), id, func(one batch.Result) error {
			all = append(all, one.ID+" "+string(one.Outcome))
			return nil
		})
		return all, err
	}
	if all, err := read("b1"); err != nil || !slices.Equal(all, []string{"good failed"}) {
		t.Errorf("%v, %v", all, err)
	}
	said.await(t, `a result of "w9" is ignored: there is no outcome "great"`)
	if got := collected(t, s, 1)["good"]; got.Outcome != messages.Failed {
		t.Errorf("%+v", got)
	}
	if err := f.Results(t.Context(), "b1", func(batch.Result) error { return io.ErrShortWrite }); err != io.ErrShortWrite {
		t.Errorf("who reads says why it ends: %v", err)
	}
	const none = `there is no batch "b2" in the fleet kept; to list the batches, run marvin fleet status`
	if _, err := read("b2"); err == nil || err.Error() != none {
		t.Errorf("%v", err)
	}
	if err := f.Cancel(t.Context(), "b2"); err == nil || err.Error() != none {
		t.Errorf("%v", err)
	}
	if _, err := read("b 2"); err == nil || !strings.HasPrefix(err.Error(), `there is no batch "b 2"`) {
		t.Errorf("%v", err)
	}
	standing := func() string {
		t.Helper()
		status, err := f.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, one := range status.Batches {
			all = append(all, fmt.Sprintf("%s %s %d %d", one.ID, one.State, one.Waiting, one.Results))
		}
		return strings.Join(all, "; ")
	}
	if later, err := f.Sender(t.Context(), "b3", Begin{At: time.Unix(9, 0)}, time.Now); err != nil || standing() != "b3 open 0 0; b1 open 1 2" {
		t.Errorf("%v, %s", err, standing())
	} else {
		later.Close()
	}
	if all, err := read("b3"); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	if err := f.Cancel(t.Context(), "b1"); err != nil || standing() != "b3 open 0 0; b1 cancelled 0 2" {
		t.Errorf("%v, %s", err, standing())
	}
	if err := s.Collect(t.Context(), func(batch.Result) {}); err == nil || err.Error() != "the batch was cancelled; the answers so far are stored" {
		t.Errorf("%v", err)
	}
	if err := f.Clear(t.Context(), "b1"); err != nil || standing() != "b3 open 0 0" {
		t.Errorf("%v, %s", err, standing())
	}
	f.Close()
	if _, err := f.Status(t.Context()); err == nil || f.Lost() != errClosed || f.reason(io.EOF) != errClosed || f.reason(nil) != nil {
		t.Errorf("%v, %v", err, f.Lost())
	}
	if err := s.Collect(t.Context(), func(batch.Result) {}); err != errClosed {
		t.Errorf("over a closed connection: %v", err)
	}
}
