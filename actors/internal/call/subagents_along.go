package call

import (
	"strings"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// A user who opens a sub-agent follows it live. After each answer the front end asks for more, and
// it gets the next answer when there is new text. So a slow screen receives one message per frame.
// If no user watches a sub-agent, its text is sent only with the next event.

// along records how much of a sub-agent's conversation the user has seen.
type along struct {
	words *mailed // nil for a sub-agent on another machine, which sends no text
	seen  int     // the number of the last update shown
	waits bool    // the front end waits for new text
}

// showMore shows the next part as soon as there is one.
func (s *subAgents) showMore(c actor.Context, one *agent) {
	one.along.waits = true
	if one.along.words != nil {
		one.along.words.want()
	}
	s.readAlong(c, one)
}

// readAlong answers a front end that waits for more.
func (s *subAgents) readAlong(c actor.Context, one *agent) {
	ended := one.state == messages.AgentEnded || one.state == messages.AgentFailed || one.state == messages.AgentStopped
	if one.along.waits && (ended || one.told.number != one.along.seen) {
		one.along.waits = false
		s.show(c, one, true)
	}
}

// mailed is the audience of a sub-agent's session; it sends mail to the worker. Streaming text
// waits for the next event, or for a request.
type mailed struct {
	send func(messages.Event, string)

	mu     sync.Mutex
	said   strings.Builder
	wanted bool // send the next text at once
}

// Push implements [conv.Audience]. Only the session calls it, one event after the other.
func (m *mailed) Push(envelope messages.Envelope) {
	switch event := envelope.Event.(type) {
	case messages.Text:
		if words := m.hear(event.Chunk); words != "" {
			m.send(nil, words)
		}
	case messages.Thinking, messages.ToolOutput, messages.AgentChanged:
	default:
		m.send(event, m.take())
	}
}

// hear adds text. It returns the waiting text if it was asked for.
func (m *mailed) hear(words string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.said.Len() < mostTold {
		m.said.WriteString(words)
	}
	if !m.wanted {
		return ""
	}
	return m.taken()
}

// take returns the waiting text. The text is sent without the lock, because the worker may read its
// mail on the sending goroutine and then ask for more.
func (m *mailed) take() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.taken()
}

// taken is take for callers that hold the lock. If there is no text yet, the request stays open.
func (m *mailed) taken() string {
	words := m.said.String()
	m.wanted = m.wanted && words == ""
	m.said.Reset()
	return words
}

// want requests the waiting text, or else the next text that comes. Only the worker calls it, and
// it reads the sent text after its present mail. The lock is held while sending, so that no later
// event overtakes the text.
func (m *mailed) want() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wanted = true
	if words := m.taken(); words != "" {
		m.send(nil, words)
	}
}

// Close implements [conv.Audience].
func (m *mailed) Close() {}
