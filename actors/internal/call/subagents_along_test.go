package call

import (
	"fmt"
	"slices"
	"testing"

	"marvin/messages"
)

func TestReaderOnTheSendersGoroutineGetsEachWordOnce(t *testing.T) {
	var told []string
	m := &mailAudience{}
	m.send = func(event messages.Event, words string) {
		told = append(told, fmt.Sprintf("%T %q", event, words))
		if len(told) < 4 {
			m.requestText()
		}
	}
	for _, event := range []messages.Event{messages.Text{Chunk: "kept"}, messages.Text{Chunk: " too"}, messages.ToolsCalled{}, messages.Text{Chunk: "a"}, messages.ToolsCalled{}, messages.Text{Chunk: "b"}, messages.Thinking{Chunk: "hm"}, messages.Text{Chunk: "c"}, messages.Notice{}} {
		m.Push(messages.Envelope{Event: event})
	}
	want := []string{`messages.ToolsCalled "kept too"`, `<nil> "a"`, `messages.ToolsCalled ""`, `<nil> "b"`, `messages.Notice "c"`}
	if !slices.Equal(told, want) {
		t.Errorf("told is %q, not %q", told, want)
	}
	m.Push(messages.Envelope{Event: messages.Text{Chunk: "d"}})
	m.requestText()
	m.requestText()
	m.Push(messages.Envelope{Event: messages.Text{Chunk: "e"}})
	m.Push(messages.Envelope{Event: messages.Text{Chunk: "f"}})
	if rest := told[len(want):]; !slices.Equal(rest, []string{`<nil> "d"`, `<nil> "e"`}) {
		t.Errorf("then told is %q", rest)
	}
}
