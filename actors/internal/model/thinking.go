package model

import (
	"strings"

	"marvin/messages"
	"marvin/providers"
)

// mostThought limits the reasoning that is collected from one answer, in bytes. The last part can
// exceed the limit.
const mostThought = 1 << 20

// thinking collects the reasoning that the model streams. Some protocols omit the reasoning from
// the final reply.
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
	case providers.AnewPart: // the model starts its answer over
		t.text.Reset()
	case providers.TextPart, providers.CallingPart, providers.NoticePart:
	}
}

// thoughtsOf returns the reasoning in the reply, or the streamed reasoning if the reply contains
// none.
func (t *thinking) thoughtsOf(reply providers.Reply) []messages.Thought {
	if reply.Thinking == nil && t.text.Len() > 0 {
		return []messages.Thought{{Text: strings.ToValidUTF8(t.text.String(), "\ufffd"), Origin: t.origin}}
	}
	return reply.Thinking
}
