package model

import (
	"strings"

	"marvin/messages"
	"marvin/providers"
)

// mostThought bounds what is kept of the thinking of one answer, in bytes.
const mostThought = 1 << 20

// thinking gathers what a model thinks while it answers, for wires that have no form of
// their own for it.
type thinking struct {
	origin string
	text   strings.Builder
}

func (t *thinking) take(part providers.Part) {
	switch part.Kind {
	case providers.ThinkingPart:
		if t.text.Len() < mostThought {
			t.text.WriteString(part.Text)
		}
	case providers.AnewPart: // the answer starts over
		t.text.Reset()
	case providers.TextPart, providers.CallingPart, providers.NoticePart:
	}
}

// of returns the thinking of an answer: from the reply, or as it streamed.
func (t *thinking) of(reply providers.Reply) []messages.Thought {
	if reply.Thinking == nil && t.text.Len() > 0 {
		return []messages.Thought{{Text: strings.ToValidUTF8(t.text.String(), "\ufffd"), Origin: t.origin}}
	}
	return reply.Thinking
}
