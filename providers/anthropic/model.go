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

// bindingControls is the beta that lets a request say what becomes of thoughts that were
// thought behind other words: old results left the view, or a summary took their place
// (platform.claude.com/docs, build-with-claude/preserved-thinking).
const bindingControls = "thinking-binding-controls-2026-08-01"

// Config says whom to ask.
type Config struct {
	Provider string // for errors, and the origin of what only this provider reads
	BaseURL  string // the address in front of /messages
	Key      string
	Model    string
	HTTP     *http.Client // it must have no timeout, which would end long answers
	About    providers.About
}

// Model is a model behind the Messages protocol.
type Model struct {
	config Config
	server *stream.Server
	// The server refused these features; later requests leave them out.
	unmarked, thoughtless, blind atomic.Bool
	// unbound asks the server to drop thinking whose preceding messages changed.
	unbound atomic.Bool
}

var _ providers.Model = (*Model)(nil)

// New makes a model. Nothing is sent before the first Respond.
func New(config Config) *Model {
	return &Model{config: config, server: stream.NewServer(config.Provider, config.BaseURL, "/messages", config.HTTP)}
}

// Close gives back idle connections.
func (m *Model) Close() error { return m.server.Close() }

func (m *Model) origin() string { return m.config.Provider + "/" + m.config.Model }

// Respond asks for one answer. If the server refuses a field, this and later requests leave it out.
// If the server rejects earlier thinking, that is left out as well.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	var notices []string
	for {
		answer := &answer{provider: m.config.Provider, origin: m.origin(), key: m.config.Key, Pieces: stream.Pieces{To: emit}, index: map[int]*block{}}
		err := m.server.Ask(ctx, m.config.Key, m.header(), m.body(question), answer)
		if answer.said() || !m.without(err, question) {
			reply := answer.reply()
			reply.Notices = append(notices, reply.Notices...)
			return reply, err
		}
		if providers.RefusesPictures(err, question) {
			notices = append(notices, providers.Unseen(m.config.Model, err))
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

// without leaves out what a refusal names, and says whether that is something new.
func (m *Model) without(err error, question providers.Question) bool {
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
