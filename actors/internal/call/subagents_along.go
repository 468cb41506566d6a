package call

import (
	"strings"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// The front end has at most one open request for a sub-agent's new text, so a slow screen receives
// no more messages than it can draw. Without a request, the text is sent only with the sub-agent's
// next event.

// followed describes how much of a sub-agent's conversation the user has seen.
type followed struct {
	words *mailAudience // nil for a sub-agent outside this process
	seen  int           // the number of the last update shown
	waits bool          // the front end waits for new text
}

func (s *subAgents) showMore(c actor.Context, one *agent) {
	one.along.waits = true
	if one.along.words != nil {
		one.along.words.requestText()
	}
	s.readAlong(c, one)
}

// readAlong answers the waiting front end if the sub-agent has new text or has ended.
func (s *subAgents) readAlong(c actor.Context, one *agent) {
	ended := one.state == messages.AgentEnded || one.state == messages.AgentFailed || one.state == messages.AgentStopped
	if one.along.waits && (ended || one.told.number != one.along.seen) {
		one.along.waits = false
		s.show(c, one, true)
	}
}

// mailAudience sends most events of a sub-agent's session to the worker. It buffers streamed text
// until it sends the next event, or until the worker requests the text. While the buffer contains
// mostTold bytes or more, new text is dropped.
type mailAudience struct {
	send func(messages.Event, string)

	mu     sync.Mutex
	said   strings.Builder
	wanted bool // the worker has asked for new text
}

// Push implements [conv.Audience]. Only the session calls Push, one event at a time.
func (m *mailAudience) Push(envelope messages.Envelope) {
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

// hear adds new text to the stored text. It returns all stored text if the worker asked for text,
// and otherwise "".
func (m *mailAudience) hear(words string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.said.Len() < mostTold {
		m.said.WriteString(words)
	}
	if !m.wanted {
		return ""
	}
	return m.takeLocked()
}

// take returns the text that was held back. It releases the lock before the caller sends the text,
// because the worker may run on the same goroutine and call requestText.
func (m *mailAudience) take() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.takeLocked()
}

// takeLocked does the work of [mailAudience.take]. The caller must hold the lock. If there is no
// text yet, the worker's request stays open.
func (m *mailAudience) takeLocked() string {
	words := m.said.String()
	m.wanted = m.wanted && words == ""
	m.said.Reset()
	return words
}

// requestText sends the buffered text, or makes [mailAudience.Push] send the next text at once. It
// holds the lock while it sends, so the text precedes later events. This cannot deadlock: the
// worker is the only caller, and handles the sent message after requestText has returned.
func (m *mailAudience) requestText() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wanted = true
	if words := m.takeLocked(); words != "" {
		m.send(nil, words)
	}
}

// Close implements [conv.Audience].
func (m *mailAudience) Close() {}
