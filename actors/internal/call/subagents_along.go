package call

import (
	"strings"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// A user who opens a sub-agent follows it live: after each answer the front end asks for more, and
// the next answer comes with the next text. So a slow screen receives one message per frame, and
// without a viewer no text is sent alone.

// along is how far a person reads along with one sub-agent.
type along struct {
	words *mailed // nil for one that is elsewhere, whose words do not come here
	seen  int     // the number of the last update shown
	waits bool    // for the next word
}

// more shows what there is beyond what was shown, as soon as there is any.
func (s *subAgents) more(c actor.Context, one *agent) {
	one.along.waits = true
	if one.along.words != nil {
		one.along.words.want()
	}
	s.readAlong(c, one)
}

// readAlong answers who waits for more.
func (s *subAgents) readAlong(c actor.Context, one *agent) {
	ended := one.state == messages.AgentEnded || one.state == messages.AgentFailed || one.state == messages.AgentStopped
	if one.along.waits && (ended || one.told.number != one.along.seen) {
		one.along.waits = false
		s.show(c, one, true)
	}
}

// mailed is the listener of a sub-agent's session: the worker. Streaming text waits for the next
// event, or until it is asked for.
type mailed struct {
	send func(messages.Event, string)

	mu     sync.Mutex
	said   strings.Builder
	wanted bool // the next words go at once
}

// Push implements audience. It is called by the session alone, one event behind the other.
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

// take gives the words that wait. They are sent without the lock: the worker may read its mail
// on the goroutine that sends it, and then want more.
func (m *mailed) take() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.taken()
}

// taken is that under the lock. An event without words may show nothing: who wants some waits on.
func (m *mailed) taken() string {
	words := m.said.String()
	m.wanted = m.wanted && words == ""
	m.said.Reset()
	return words
}

// want sends what was said, or what is said next. It is called by the worker alone, which
// reads what is sent behind the mail that it has: with the lock, no event that comes meanwhile
// is read before words that were said before it.
func (m *mailed) want() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wanted = true
	if words := m.taken(); words != "" {
		m.send(nil, words)
	}
}

// Close implements audience.
func (m *mailed) Close() {}
