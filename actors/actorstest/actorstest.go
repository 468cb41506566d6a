// Package actorstest starts a whole tree against a local model server.
package actorstest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/messages"
	"marvin/tools/toolbox"
)

// Patience is how long a test waits for an expected event. Even a busy machine needs far less time.
// Tests with a real clock should not use shorter limits.
const Patience = 2 * time.Minute

// Tree is a running conversation, as a front end sees it.
type Tree struct {
	Client *actors.Client
	System *actors.System
	Tools  *toolbox.Shelf
	Seen   []messages.Envelope // all events that were read so far
	t      *testing.T
	wait   time.Duration
	rest   []messages.Envelope // events that were read but not yet returned
}

// Start starts a tree and stops it at the end of the test.
func Start(t *testing.T, setup Setup) *Tree {
	t.Helper()
	client := setup.HTTP
	if client == nil {
		transport := &http.Transport{}
		t.Cleanup(transport.CloseIdleConnections)
		client = &http.Client{Transport: transport}
	}
	config := setup.config(t, client)
	policy := actors.Policy{Coding: true}
	if setup.Policy != nil {
		policy = *setup.Policy
	}
	var kept *actors.StoredSession
	if setup.Keep != nil {
		kept = setup.Keep(config.Home)
	}
	system := actors.Start(config)
	begin := actors.Conversation{
		Choice: actors.Choice{Provider: "openai-compat", Model: "test-model"}, Dir: setup.Dir, Profile: "default", Policy: policy, Stored: kept,
	}
	if setup.Begin != nil {
		setup.Begin(&begin)
	}
	conversation, err := system.Open(begin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := system.Stop(); err != nil {
			t.Error(err)
		}
		client.CloseIdleConnections()
	})
	return &Tree{Client: conversation, System: system, Tools: config.Tools, t: t, wait: cmp.Or(setup.Wait, Patience)}
}

// Turn contains all events of a turn.
type Turn struct {
	Events []messages.Envelope
	Ended  messages.TurnEnded
}

// Prompt sends a prompt and reads events until the new turn ends.
func (tree *Tree) Prompt(text string) Turn {
	tree.t.Helper()
	tree.Client.Send(messages.Say(text))
	return tree.Finish()
}

// Finish reads until the running turn ends.
func (tree *Tree) Finish() Turn {
	tree.t.Helper()
	var turn Turn
	turn.Events = tree.until(func(event messages.Event) bool {
		ended, ok := event.(messages.TurnEnded)
		turn.Ended = ended
		return ok
	})
	return turn
}

// ReadUntil reads events up to the first event of type E, and returns that event.
func ReadUntil[E messages.Event](tree *Tree) E {
	tree.t.Helper()
	var found E
	tree.until(func(event messages.Event) bool {
		typed, ok := event.(E)
		if ok {
			found = typed
		}
		return ok
	})
	return found
}

func (tree *Tree) until(last func(messages.Event) bool) []messages.Envelope {
	tree.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), tree.wait)
	defer stop()
	var seen []messages.Envelope
	for {
		for len(tree.rest) > 0 {
			envelope := tree.rest[0]
			tree.rest = tree.rest[1:]
			seen = append(seen, envelope)
			tree.Seen = append(tree.Seen, envelope)
			if last(envelope.Event) {
				return seen
			}
		}
		batch, err := tree.Client.Next(ctx)
		if errors.Is(err, io.EOF) {
			tree.t.Fatalf("the conversation closed; before that:\n%s", Lines(seen))
		}
		if err != nil {
			tree.t.Fatalf("%v while waiting; so far:\n%s", err, Lines(seen))
		}
		tree.rest = batch
	}
}

// Lines encodes each event as a line of JSON. It clears times, durations and sequence numbers, so
// that the results can be compared.
func Lines(envelopes []messages.Envelope) string {
	var lines strings.Builder
	for _, envelope := range envelopes {
		envelope.Seq, envelope.At = 0, time.Time{}
		if ended, ok := envelope.Event.(messages.ToolEnded); ok {
			ended.Took = 0
			envelope.Event = ended
		}
		encoded, err := envelope.MarshalJSON()
		if err != nil {
			encoded = []byte(err.Error())
		}
		lines.Write(encoded)
		lines.WriteByte('\n')
	}
	return lines.String()
}

// TurnEvents returns the events of type E in a turn.
func TurnEvents[E messages.Event](turn Turn) []E { return Pick[E](turn.Events) }

// Pick returns the events of type E.
func Pick[E messages.Event](envelopes []messages.Envelope) []E {
	var found []E
	for _, envelope := range envelopes {
		if event, ok := envelope.Event.(E); ok {
			found = append(found, event)
		}
	}
	return found
}

// ReadEvents reads the given number of events.
func (tree *Tree) ReadEvents(count int) {
	tree.t.Helper()
	if count > 0 {
		tree.until(func(messages.Event) bool { count--; return count == 0 })
	}
}

// ReadUntilMatch reads events until the given function returns true for one of them.
func (tree *Tree) ReadUntilMatch(match func(messages.Event) bool) {
	tree.t.Helper()
	tree.until(match)
}

// Rest returns the events that have not been read yet. It waits until the conversation closes.
func (tree *Tree) Rest() []messages.Envelope {
	tree.t.Helper()
	rest := tree.rest
	tree.rest = nil
	ctx, stop := context.WithTimeout(context.Background(), tree.wait)
	defer stop()
	for {
		batch, err := tree.Client.Next(ctx)
		if errors.Is(err, io.EOF) {
			return rest
		}
		if err != nil {
			tree.t.Fatal(err)
		}
		rest = append(rest, batch...)
	}
}
