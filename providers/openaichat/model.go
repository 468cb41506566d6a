package openaichat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"marvin/messages/origin"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

// Config configures a model.
type Config struct {
	Provider string // the provider's name, such as "deepseek"
	// BaseURL is the address without /chat/completions. The full endpoint is accepted as well. A
	// query string in the address is sent with each request.
	BaseURL string
	Key     string       // "" for servers that need no key
	Model   string       // the provider's name for the model
	HTTP    *http.Client // nil for a new client; a timeout would end long answers
	// If Anthropic is true, [List] and [Models] send Anthropic's headers. Other requests are not
	// affected.
	Anthropic bool
	About     providers.About
}

// Model implements [providers.Model] for servers with the chat completions protocol.
type Model struct {
	config  Config
	base    *url.URL
	options []option.RequestOption
	invalid error // an error in the configuration, returned by Respond
	// The server refused these features, so later requests leave them out.
	blind, thoughtless atomic.Bool
	returning          atomic.Bool // the server requires the reasoning from earlier answers
}

var _ providers.Model = (*Model)(nil)

// New returns a model without contacting the server.
func New(config Config) *Model {
	config.Key = strings.TrimSpace(config.Key)
	if config.HTTP == nil {
		config.HTTP = origin.New(&http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true})
	}
	m := &Model{config: config}
	base, err := url.Parse(strings.TrimSpace(config.BaseURL))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		m.invalid = fmt.Errorf("the address of %s, %q, is not a URL: begin it with http:// or https://", config.Provider, config.BaseURL)
		return m
	}
	config.HTTP = origin.Restrict(config.HTTP, base, providers.AddressSetting(config.Provider))
	m.config = config
	query := base.Query()
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), "/chat/completions")
	base.RawPath, base.RawQuery, base.Fragment = "", "", ""
	m.base = base
	m.options = []option.RequestOption{
		option.WithBaseURL(base.String()), option.WithHTTPClient(config.HTTP), option.WithMaxRetries(0),
		option.WithHeader("Accept", "text/event-stream"), option.WithMiddleware(m.refuse),
	}
	if config.Key != "" {
		m.options = append(m.options, option.WithAPIKey(config.Key))
	}
	for name, values := range query { // otherwise the base URL's query would be lost
		for _, value := range values {
			m.options = append(m.options, option.WithQueryAdd(name, value))
		}
	}
	return m
}

// origin returns the model's name in the form "provider/model", as [providers.RepairFor] expects.
func (m *Model) origin() string { return m.config.Provider + "/" + m.config.Model }

// Close closes idle connections.
func (m *Model) Close() error {
	m.config.HTTP.CloseIdleConnections()
	return nil
}

// refuse converts an error status into an error before openai-go reads the body. openai-go would
// read any amount of data, and understands only one format.
func (m *Model) refuse(request *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	response, err := next(request)
	if err != nil || response.StatusCode < http.StatusBadRequest {
		return response, err
	}
	return nil, providers.ReadStatus(m.config.Provider, response, m.config.Key)
}

// Respond asks the model for one answer. If the server refuses the request because of pictures,
// effort fields or missing reasoning, Respond corrects the request and all later ones.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	var notices []string
	for {
		reply, err := m.ask(ctx, question, emit)
		if said := reply.Text != "" || len(reply.Calls) > 0; said || !m.turnOff(err, question) {
			reply.Notices = append(notices, reply.Notices...)
			return reply, err
		}
		if providers.RefusesPictures(err, question) {
			notices = append(notices, providers.UnseenNotice(m.config.Model, err))
		}
	}
}

func (m *Model) ask(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	if m.invalid != nil {
		return providers.Reply{}, m.invalid
	}
	asking, stop := context.WithCancelCause(ctx)
	leave := func() { stop(nil) }
	defer func() { leave() }()
	body, err := m.body(question)
	if err != nil {
		return providers.Reply{}, err
	}
	var response *http.Response
	client := openai.Client{Options: m.options}
	if err := client.Post(asking, "chat/completions", body, &response); err != nil {
		return providers.Reply{}, m.failure(ctx, err)
	}
	leave = func() { stop(nil); _ = response.Body.Close() }
	answer := &answer{provider: m.config.Provider, key: m.config.Key, pieces: stream.Pieces{To: emit}}
	err = answer.read(asking, response, stop)
	if err == nil {
		err = answer.checkLoss()
	}
	if err != nil && ctx.Err() != nil {
		err = m.failure(ctx, err)
	}
	reply := answer.reply()
	if answer.rest != nil && err == nil {
		ends := leave
		leave = func() {}
		reply.Rest = func() providers.Usage { defer ends(); return answer.rest.awaitUsage(m.config.Key) }
	}
	return reply, err
}

// failure returns the error for a missing or incomplete answer.
func (m *Model) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ask %s: %w", m.config.Provider, context.Cause(ctx))
	}
	if status, ok := errors.AsType[*providers.StatusError](err); ok {
		return status
	}
	return providers.Unreachable(m.base, err)
}
