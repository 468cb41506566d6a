package conversation_test

import (
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
)

func TestThoughtsAreThoseOfTheTurn(t *testing.T) {
	s := told(messages.TurnStarted{}, messages.Thinking{Chunk: "a "}, messages.Thinking{Chunk: "b"}, messages.UsageChanged{})
	if change := s.Apply(messages.Envelope{At: start.Add(5 * time.Second), Event: messages.Text{Chunk: "x"}}); change.Thought == nil || *change.Thought != (conversation.Thought{Took: 4 * time.Second, Text: "a b"}) {
		t.Errorf("with the answer %+v ended", change.Thought)
	}
	for range 9 {
		s.Apply(messages.Envelope{At: start, Event: messages.Thinking{Chunk: strings.Repeat("long ", 10<<10)}})
	}
	s.Apply(messages.Envelope{Event: messages.TurnEnded{}})
	if all := s.Thoughts(); len(all) != 2 || len(all[1].Text) > 260<<10 || !strings.HasSuffix(all[1].Text, "\n[… cut]") {
		t.Errorf("%d thoughts are kept", len(all))
	}
	s.Apply(messages.Envelope{Event: messages.TurnStarted{}})
	if all := s.Thoughts(); len(all) != 0 {
		t.Errorf("the next turn begins with %v", all)
	}
	s.Apply(messages.Envelope{Event: messages.Recalled{Steps: []messages.RecalledStep{{Thinking: "once"}, {Text: "x"}}}})
	if all := s.Thoughts(); len(all) != 1 || all[0] != (conversation.Thought{Text: "once"}) {
		t.Errorf("of a turn that was left %v is known", all)
	}
	if s.Apply(messages.Envelope{Event: messages.Cleared{}}); len(s.Thoughts()) != 0 {
		t.Error("a new conversation has thoughts of the one before")
	}
}
