package actors

import (
	"strings"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// A person who looks at a sub-agent reads along: behind each answer their front end asks for
// more, and the next one comes with the next word. So a slow screen is told once per frame, and
// where nobody looks no word is mailed by itself.

// along is how far a person reads along with one sub-agent.
type along struct {
	words *mailed // nil for one that is elsewhere, whose words do not come here
	seen  int     // the number of what was shown last
	waits bool    // for the next word
}

// more shows what there is beyond what was shown, as soon as there is any.
func (s *subAgents) more(c actor.Context, one *member) {
	one.along.waits = true
	if one.along.words != nil {
		one.along.words.want()
	}
	s.readAlong(c, one)
}

// readAlong answers who waits for more.
func (s *subAgents) readAlong(c actor.Context, one *member) {
	ended := one.state == messages.AgentEnded || one.state == messages.AgentFailed || one.state == messages.AgentStopped
	if one.along.waits && (ended || one.told.number != one.along.seen) {
		one.along.waits = false
		s.show(c, one, true)
	}
}

// mailed is the audience of a sub-agent's session: the worker. The words that stream by wait
// for the next event, or until somebody wants them.
type mailed struct {
	send func(messages.Event, string)

	mu     sync.Mutex // held while mail is sent: it is read in the order in which things were said
	said   strings.Builder
	wanted bool // the next words go at once
}

// Push implements audience. It is called by the session alone.
func (m *mailed) Push(envelope messages.Envelope) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch event := envelope.Event.(type) {
	case messages.Text:
		if m.said.Len() < mostTold {
			m.said.WriteString(event.Chunk)
		}
		if m.wanted {
			m.tell(nil)
		}
	case messages.Thinking, messages.ToolOutput, messages.AgentChanged:
	default:
		m.tell(event)
	}
}

// want sends what was said, or what is said next.
func (m *mailed) want() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.wanted = true; m.said.Len() > 0 {
		m.tell(nil)
	}
}

// tell mails what was said, and an event, if there is one.
func (m *mailed) tell(event messages.Event) {
	m.wanted = m.wanted && event != nil && m.said.Len() == 0 // an event without words may show nothing
	m.send(event, m.said.String())
	m.said.Reset()
}

// Close implements audience.
func (m *mailed) Close() {}
