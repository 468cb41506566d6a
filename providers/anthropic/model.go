package anthropic

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// version is the protocol version that servers require in a header.
const version = "2023-06-01"

// bindingControls is the beta feature for [dropBound] (platform.claude.com/docs,
// build-with-claude/preserved-thinking). Messages change when old results are removed or when a
// summary replaces old messages.
const bindingControls = "thinking-binding-controls-2026-08-01"

// Config configures a model.
type Config struct {
	Provider string // the provider's name, for error messages and Thought.Origin
	BaseURL  string // the address without /messages
	Key      string
	Model    string
	HTTP     *http.Client // a client without a timeout, because a timeout would end long answers
	About    providers.About
}

// Model is a model that speaks the Messages protocol.
type Model struct {
	config Config
	server *stream.Server
	// These flags are set when the server refuses cache marks, reasoning or pictures, respectively.
	// Later requests omit the refused part.
	unmarked, thoughtless, blind atomic.Bool
	// If unbound is set, requests tell the server to drop reasoning that follows a changed message.
	unbound atomic.Bool
}

var _ providers.Model = (*Model)(nil)

// New returns a model without contacting the server.
func New(config Config) *Model {
	return &Model{config: config, server: stream.NewServer(config.Provider, config.BaseURL, "/messages", config.HTTP)}
}

// Close closes idle connections.
func (m *Model) Close() error { return m.server.Close() }

func (m *Model) origin() string { return m.config.Provider + "/" + m.config.Model }

// Respond requests one answer. If the server refuses a feature, Respond asks again without that
// feature, and later requests do not use it.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	var notices []string
	for {
		answer := &answer{provider: m.config.Provider, origin: m.origin(), key: m.config.Key, Pieces: stream.Pieces{To: emit}, index: map[int]*block{}}
		err := m.server.Ask(ctx, m.config.Key, m.header(), m.body(question), answer)
		if answer.forwarded() || !m.turnOff(err, question) {
			reply := answer.reply()
			reply.Notices = append(notices, reply.Notices...)
			return reply, err
		}
		if providers.RefusesPictures(err, question) {
			notices = append(notices, providers.UnseenNotice(m.config.Model, err))
		}
	}
}

func (m *Model) header() http.Header {
	header := http.Header{"Anthropic-Version": {version}}
	if m.unbound.Load() {
		header.Set("anthropic-beta", bindingControls)
	}
	if m.config.Key != "" {
		header.Set("x-api-key", m.config.Key)
	}
	return header
}

// turnOff turns off the feature that a refusal names, and reports whether it was on.
func (m *Model) turnOff(err error, question providers.Question) bool {
	message, refused := stream.Refused(err)
	switch {
	case providers.RefusesPictures(err, question):
		return !m.blind.Swap(true)
	case !refused:
	case strings.Contains(message, "block_binding") && !m.unbound.Swap(true):
		return true
	case strings.Contains(message, "cache_control"):
		return !m.unmarked.Swap(true)
	case strings.Contains(message, "thinking") || strings.Contains(message, "output_config") || strings.Contains(message, "effort") || strings.Contains(message, "signature"):
		return !m.thoughtless.Swap(true)
	}
	return false
}
