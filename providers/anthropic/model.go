package anthropic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"marvin/providers"
)

// version is the protocol that is spoken, which servers want to be told.
const version = "2023-06-01"

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
	config  Config
	base    *url.URL
	invalid error // of the configuration, told by the first Respond
	// What a server refused is not sent again.
	unmarked, thoughtless, blind atomic.Bool
}

var _ providers.Model = (*Model)(nil)

// New makes a model. Nothing is sent before the first Respond.
func New(config Config) *Model {
	client := *config.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the key is for this host
	config.HTTP = &client
	m := &Model{config: config}
	base, err := url.Parse(strings.TrimSpace(config.BaseURL))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		m.invalid = fmt.Errorf("the address of %s, %q, is not a URL: begin it with http:// or https://", config.Provider, config.BaseURL)
		return m
	}
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), "/messages") + "/messages"
	m.base = base
	return m
}

// Close gives back idle connections.
func (m *Model) Close() error {
	m.config.HTTP.CloseIdleConnections()
	return nil
}

func (m *Model) origin() string { return m.config.Provider + "/" + m.config.Model }

// Respond asks for one answer. A field that the server does not take is left out from then
// on, and what was thought before if the server has no use for it.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	if m.invalid != nil {
		return providers.Reply{}, m.invalid
	}
	for {
		reply, err := m.ask(ctx, question, emit)
		if refused := (*providers.StatusError)(nil); !errors.As(err, &refused) || refused.Status != http.StatusBadRequest || !m.without(refused.Message) {
			return reply, err
		}
	}
}

// without leaves out what a refusal names, and says whether that is something new.
func (m *Model) without(message string) bool {
	message = strings.ToLower(message)
	switch {
	case strings.Contains(message, "image"):
		return !m.blind.Swap(true)
	case strings.Contains(message, "cache_control"):
		return !m.unmarked.Swap(true)
	case strings.Contains(message, "thinking") || strings.Contains(message, "output_config") || strings.Contains(message, "effort") || strings.Contains(message, "signature"):
		return !m.thoughtless.Swap(true)
	}
	return false
}

func (m *Model) ask(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	asking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	request, err := http.NewRequestWithContext(asking, http.MethodPost, m.base.String(), bytes.NewReader(m.body(question)))
	if err != nil {
		return providers.Reply{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("anthropic-version", version)
	if m.config.Key != "" {
		request.Header.Set("x-api-key", m.config.Key)
	}
	response, err := m.config.HTTP.Do(request)
	if err != nil {
		return providers.Reply{}, m.failure(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return providers.Reply{}, providers.ReadStatus(m.config.Provider, response, m.config.Key)
	}
	answer := &answer{provider: m.config.Provider, origin: m.origin(), key: m.config.Key, emit: emit}
	err = answer.read(response)
	if err != nil && ctx.Err() != nil {
		err = m.failure(ctx, err)
	}
	return answer.reply(), err
}

// failure says why there was no answer, or no whole one.
func (m *Model) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ask %s: %w", m.config.Provider, context.Cause(ctx))
	}
	return providers.Unreachable(m.base, err)
}
