// Package feed delivers events to a reader at the reader's own speed, without loss.
package feed

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"marvin/messages"
)

// Feed is a queue of events. It merges new events into events that have not been read yet. A piece
// of text is appended to the previous piece of text. A piece of a call's output is appended to the
// previous piece of the call's output. New totals replace older totals, and the new state of a
// sub-agent replaces its older state. All other events stay in order. Push never blocks. Use [New]
// to make a Feed.
type Feed struct {
	mu      sync.Mutex
	entries []entry
	open    map[string]int // for each key, the index of the entry into which the next event with that key is merged
	wake    chan struct{}  // used by Push and Close to wake Next
	closed  bool
	held    int // approximate bytes
}

type entry struct {
	envelope messages.Envelope
	more     *strings.Builder // the text after the first chunk
}

// New returns an empty feed.
func New() *Feed {
	return &Feed{open: map[string]int{}, wake: make(chan struct{}, 1)}
}

// Push adds an event. A closed feed ignores the event.
func (f *Feed) Push(envelope messages.Envelope) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.held += Size(envelope.Event)
	if !f.merge(envelope) {
		f.entries = append(f.entries, entry{envelope: envelope})
	}
	f.signal()
}

// Close ends the feed: the reader gets the remaining events and then io.EOF.
func (f *Feed) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.signal()
}

func (f *Feed) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// merge merges the event into an open entry, and reports whether such an entry exists. If merge
// returns false, the caller must append the event, because f.open can already contain the index of
// the new entry.
func (f *Feed) merge(envelope messages.Envelope) bool {
	const usage, speech = "usage", "speech"
	switch event := envelope.Event.(type) {
	case messages.Text:
		return f.extend(speech, event.Chunk, func(e messages.Event) bool { _, same := e.(messages.Text); return same })
	case messages.Thinking:
		return f.extend(speech, event.Chunk, func(e messages.Event) bool { _, same := e.(messages.Thinking); return same })
	case messages.ToolOutput:
		return f.extend("call "+event.Call, event.Chunk, func(messages.Event) bool { return true })
	case messages.UsageChanged:
		if at, ok := f.open[usage]; ok {
			f.entries[at].envelope.Event = envelope.Event // each event contains the totals so far
			return true
		}
		f.open[usage] = len(f.entries)
		return false
	case messages.AgentChanged:
		key := fmt.Sprintf("agent %s %d", event.Call, event.Agent)
		if at, ok := f.open[key]; ok {
			f.entries[at].envelope.Event = envelope.Event // each event contains the complete state of the sub-agent
			return true
		}
		f.open[key] = len(f.entries)
		return false
	case messages.ToolEnded:
		delete(f.open, "call "+event.Call)
	default: // a separate entry
	}
	delete(f.open, speech)
	return false
}

func (f *Feed) extend(key, chunk string, same func(messages.Event) bool) bool {
	at, ok := f.open[key]
	if !ok || !same(f.entries[at].envelope.Event) {
		f.open[key] = len(f.entries)
		return false
	}
	if f.entries[at].more == nil {
		f.entries[at].more = &strings.Builder{}
	}
	f.entries[at].more.WriteString(chunk)
	return true
}

// Next waits for at least one event and returns all events since the last call. It returns io.EOF
// if the feed is closed and empty, or the cancellation cause if ctx ends first.
func (f *Feed) Next(ctx context.Context) ([]messages.Envelope, error) {
	for {
		if batch, closed := f.take(); len(batch) > 0 {
			return batch, nil
		} else if closed {
			return nil, io.EOF
		}
		select {
		case <-f.wake:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (f *Feed) take() (batch []messages.Envelope, closed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	batch = make([]messages.Envelope, len(f.entries))
	for i, entry := range f.entries {
		batch[i] = Join(entry.envelope, entry.more)
	}
	f.entries = f.entries[:0]
	clear(f.open)
	f.held = 0
	return batch, f.closed
}

// Held returns the approximate size of the waiting events, in bytes.
func (f *Feed) Held() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.held
}

// Drop discards all waiting events and wakes the reader.
func (f *Feed) Drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries, f.held = nil, 0
	clear(f.open)
	f.signal()
}

// Try returns the waiting events, if any, and whether the feed is closed. It never waits.
func (f *Feed) Try() (batch []messages.Envelope, closed bool) { return f.take() }

// Wake returns the channel on which Push, Close and Drop wake the reader.
func (f *Feed) Wake() <-chan struct{} { return f.wake }

// sizeOfEvent is the approximate size of an event without its text, in bytes.
const sizeOfEvent = 256

// Size returns the approximate size of an event in memory, in bytes.
func Size(event messages.Event) int {
	size := sizeOfText(event)
	for _, some := range messages.ImagesOf(event) {
		for _, one := range some {
			size += len(one.Data)
		}
	}
	return size
}

func sizeOfText(event messages.Event) int {
	switch event := event.(type) {
	case messages.Text:
		return len(event.Chunk) + 16 // most chunks are merged into an earlier event, so they need no event of their own
	case messages.Thinking:
		return len(event.Chunk) + 16
	case messages.ToolOutput:
		return len(event.Chunk) + 16
	case messages.ToolEnded:
		size := len(event.Text) + len(event.Command) + sizeOfEvent
		if event.View != nil {
			size += len(event.View.Text)
		}
		return size
	case messages.TurnStarted:
		return len(event.Prompt) + sizeOfEvent
	case messages.TurnEnded:
		return len(event.Text) + sizeOfEvent
	case messages.Asked:
		return len(event.Detail) + len(event.More) + sizeOfEvent
	case messages.AgentShown:
		return len(event.Text) + sizeOfEvent
	case messages.Recalled:
		size := len(event.Prompt) + sizeOfEvent
		for _, step := range event.Steps {
			size += len(step.Text) + len(step.Thinking) + len(step.Command) + sizeOfEvent
		}
		return size
	default: // all other events are short
		return sizeOfEvent
	}
}

// Join appends the builder's text to the text of an event. A nil builder changes nothing.
func Join(envelope messages.Envelope, rest *strings.Builder) messages.Envelope {
	if rest == nil {
		return envelope
	}
	switch event := envelope.Event.(type) {
	case messages.Text:
		envelope.Event = messages.Text{Chunk: event.Chunk + rest.String()}
	case messages.Thinking:
		envelope.Event = messages.Thinking{Chunk: event.Chunk + rest.String()}
	case messages.ToolOutput:
		envelope.Event = messages.ToolOutput{Call: event.Call, Chunk: event.Chunk + rest.String()}
	default: // no other type of event comes in pieces
	}
	return envelope
}
