package responses

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// Config configures a model.
type Config struct {
	Provider string // the provider's name, for error messages and Thought.Origin
	BaseURL  string // the address without /responses
	Key      string
	Model    string
	HTTP     *http.Client // a client without a timeout, because a timeout would end long answers
	About    providers.About
	// Admit returns the token of a ChatGPT plan, and the request headers for that token. staleToken
	// is the token that the server has just rejected, or "". If Admit is nil, Key is used.
	Admit func(ctx context.Context, staleToken string) (token string, header http.Header, err error)
}

// Model is a model that speaks the Responses protocol.
type Model struct {
	config Config
	server *stream.Server
	// These flags are set when the server refuses encrypted reasoning (unsealed), all reasoning
	// (thoughtless), reasoning summaries (unsummed) or pictures (blind). Later requests omit the
	// refused part.
	unsealed, thoughtless, unsummed, blind atomic.Bool
}

var _ providers.Model = (*Model)(nil)

// New returns a model without contacting the server.
func New(config Config) *Model {
	return &Model{config: config, server: stream.NewServer(config.Provider, config.BaseURL, "/responses", config.HTTP)}
}

// Close closes idle connections.
func (m *Model) Close() error { return m.server.Close() }

func (m *Model) origin() string { return m.config.Provider + "/" + m.config.Model }

// Respond asks for one answer. If the server refuses an optional part, such as pictures, Respond
// asks again without that part. Later requests omit the part.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	var notices []string
	stale := ""
	for {
		key, header, err := m.credentials(ctx, stale)
		if err != nil {
			return providers.Reply{Notices: notices}, err
		}
		answer := &answer{provider: m.config.Provider, origin: m.origin(), key: key, Pieces: stream.Pieces{To: emit}, index: map[int]*call{}}
		err = m.server.Ask(ctx, key, header, m.body(question), answer)
		switch {
		case !answer.forwarded() && m.config.Admit != nil && stale == "" && unauthorized(err):
			stale = key // the token may have expired; the next one may be valid
			continue
		case answer.forwarded() || !m.turnOff(err, question):
			reply := answer.reply()
			reply.Notices = append(notices, reply.Notices...)
			return reply, err
		case providers.RefusesPictures(err, question):
			notices = append(notices, providers.UnseenNotice(m.config.Model, err))
		}
	}
}

func unauthorized(err error) bool {
	refused, ok := errors.AsType[*providers.StatusError](err)
	return ok && refused.Status == http.StatusUnauthorized
}

// credentials returns the key and the headers that a request needs.
func (m *Model) credentials(ctx context.Context, stale string) (key string, header http.Header, err error) {
	if m.config.Admit != nil {
		return m.config.Admit(ctx, stale)
	}
	header = http.Header{}
	if m.config.Key != "" {
		header.Set("Authorization", "Bearer "+m.config.Key)
	}
	return m.config.Key, header, nil
}

// turnOff turns off the feature that a refusal names, and reports whether it was on.
func (m *Model) turnOff(err error, question providers.Question) bool {
	message, refused := stream.Refused(err)
	switch {
	case providers.RefusesPictures(err, question):
		return !m.blind.Swap(true)
	case !refused:
	case strings.Contains(message, "summar"): // OpenAI allows summaries only for verified organizations
		return !m.unsummed.Swap(true)
	case strings.Contains(message, "encrypted"):
		return !m.unsealed.Swap(true)
	case strings.Contains(message, "reasoning") || strings.Contains(message, "effort"):
		return !m.thoughtless.Swap(true)
	}
	return false
}
