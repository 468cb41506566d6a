package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ollama/ollama/api"

	"marvin/providers"
)

// DefaultWindow is the context window that is asked for, in tokens, unless the
// model's own is smaller. The system prompt and 100 tools alone take about 20,000.
const DefaultWindow = 32768

// Config says whom to ask.
type Config struct {
	URL    string       // of the server, without /api
	Model  string       // as `ollama list` shows it
	HTTP   *http.Client // nil makes one; it must have no timeout, which would end long answers
	Window int          // tokens; 0 is DefaultWindow
}

// Model is a model that an Ollama server runs.
type Model struct {
	config  Config
	base    *url.URL
	invalid error // of the configuration, told by the first Respond
	window  func() int
	warned  atomic.Bool // of a prompt that was cut
}

var _ providers.Model = (*Model)(nil)

const (
	name = "ollama" // as errors and calls name the provider

	// Questions about the server and the model must not hold up an answer.
	askingLimit = 500 * time.Millisecond
	// How long a server may keep the connection open behind its answer; the end of
	// the transfer lets it be used again.
	endGrace = 100 * time.Millisecond
)

// New makes a model. Nothing is sent before the first Respond.
func New(config Config) *Model {
	if config.HTTP == nil {
		config.HTTP = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}}
	}
	if config.Window <= 0 {
		config.Window = DefaultWindow
	}
	m := &Model{config: config}
	base, err := url.Parse(strings.TrimRight(strings.TrimSpace(config.URL), "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		m.invalid = fmt.Errorf("the address of Ollama, %q, is not a URL: begin it with http:// or https://", config.URL)
		return m
	}
	m.base = base
	m.window = sync.OnceValue(m.fittingWindow)
	return m
}

// Close gives back idle connections.
func (m *Model) Close() error {
	m.config.HTTP.CloseIdleConnections()
	return nil
}

// fittingWindow is the configured window or, if that is smaller, the model's own,
// which the server tells. A server that is slow to tell is not asked twice.
func (m *Model) fittingWindow() int {
	ctx, stop := context.WithTimeout(context.Background(), askingLimit)
	defer stop()
	shown, err := api.NewClient(m.base, m.config.HTTP).Show(ctx, &api.ShowRequest{Model: m.config.Model})
	if err != nil {
		return m.config.Window // the chat request meets the same error and reports it
	}
	for key, value := range shown.ModelInfo {
		length, isNumber := value.(float64)
		if strings.HasSuffix(key, ".context_length") && isNumber && length >= 1 {
			return min(m.config.Window, int(length))
		}
	}
	return m.config.Window
}

// Respond asks for one answer.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	if m.invalid != nil {
		return providers.Reply{}, m.invalid
	}
	request, err := m.request(question)
	if err != nil {
		return providers.Reply{}, err
	}
	asking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	tapped := &tap{next: m.config.HTTP.Transport}
	client := *m.config.HTTP
	client.Transport = tapped
	answer := &answer{emit: emit}
	err = api.NewClient(m.base, &client).Chat(asking, request, func(line api.ChatResponse) error {
		answer.take(line)
		if line.Done {
			time.AfterFunc(endGrace, func() { stop(nil) }) // a server that never closes
		}
		return nil
	})
	reply := answer.reply()
	switch {
	case answer.done:
		m.checkPrompt(ctx, request, answer, &reply)
		return reply, nil
	case ctx.Err() != nil:
		return reply, fmt.Errorf("ask %s: %w", name, context.Cause(ctx))
	}
	return reply, m.failure(err, tapped)
}

// failure says why there was no answer, or no whole one.
func (m *Model) failure(err error, tapped *tap) error {
	if status, ok := errors.AsType[*providers.StatusError](err); ok {
		return m.advise(status)
	}
	switch {
	case errors.Is(err, providers.ErrMalformed):
		return err
	case !tapped.answered:
		err = providers.Unreachable(m.base, err)
		if errors.Is(err, syscall.ECONNREFUSED) {
			err = fmt.Errorf("%w (ollama serve starts it)", err)
		}
		return err
	case tapped.broken != nil:
		return fmt.Errorf("%w: the connection to Ollama broke: %w", providers.ErrCut, tapped.broken)
	case err == nil && tapped.longest >= lineLimit:
		return fmt.Errorf("%w: Ollama sent a line of more than %d MB, which its client does not read", providers.ErrCut, lineLimit/1_000_000)
	case err == nil, tapped.ended && tapped.line > 0 && isMalformed(err):
		return fmt.Errorf("%w: Ollama ended the stream without saying that the answer is complete", providers.ErrCut)
	case isMalformed(err):
		return fmt.Errorf("%w: a line of Ollama is broken: %s", providers.ErrMalformed, providers.Clean(err.Error(), ""))
	}
	return m.advise(providers.ServerError(name, streamStatus(err.Error()), []byte(err.Error()), ""))
}

// advise adds the next step to errors that have one.
func (m *Model) advise(status *providers.StatusError) error {
	switch {
	case status.Status == http.StatusNotFound && strings.Contains(status.Message, "not found"):
		return fmt.Errorf("%w; get it with: ollama pull %s", status, m.config.Model)
	case strings.Contains(status.Message, "does not support tools"):
		return fmt.Errorf("%w; choose a model that can call tools, such as qwen3-coder", status)
	case status.Status == http.StatusUnauthorized:
		return fmt.Errorf("%w; sign in with: ollama signin", status)
	}
	return status
}

// Reachable reports whether an Ollama server answers at an address. The context
// says how long to wait.
func Reachable(ctx context.Context, address string, client *http.Client) bool {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" {
		return false
	}
	version, err := api.NewClient(base, client).Version(ctx)
	return err == nil && version != ""
}
