package ollama

import (
	"cmp"
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

	"marvin/messages/origin"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

// DefaultWindow is the context window that Marvin requests, in tokens, if neither the user nor the
// model's Modelfile sets one. If the model's largest window is smaller, Marvin requests that
// window.
const DefaultWindow = 32768

// Config is the argument of [New].
type Config struct {
	URL   string // the address of the server, without /api
	Model string // the name that `ollama list` shows
	// HTTP must have no timeout, because a timeout would end long answers. If HTTP is nil, New
	// creates a client.
	HTTP   *http.Client
	About  providers.About
	Window int // the context window to request, in tokens; 0 if not set (see DefaultWindow)
}

// Model is a model that an Ollama server runs.
type Model struct {
	config  Config
	base    *url.URL
	invalid error // the error that Respond returns if the configuration is invalid
	facts   func() facts
	warned  atomic.Bool // the user was warned that the prompt was cut
	mute    atomic.Bool // the server said that the model does not support tools
	blind   atomic.Bool // the server said that the model does not support pictures
	unasked atomic.Bool // the server rejected a reasoning effort
	told    atomic.Bool // the user was told that the model cannot call tools
}

var _ providers.Model = (*Model)(nil)

const (
	name = "ollama" // the provider's name in errors and in ToolCall.Origin

	// askingLimit is the time limit for requests about the server and its models. It is short,
	// because an answer waits for these requests.
	askingLimit = 500 * time.Millisecond
	// endGrace is the maximum time between the last line and the end of the response. If the
	// response ends in time, its connection can be reused.
	endGrace = 100 * time.Millisecond
)

// New returns a model that sends nothing before the first Respond.
func New(config Config) *Model {
	if config.HTTP == nil {
		config.HTTP = origin.New(&http.Transport{Proxy: http.ProxyFromEnvironment})
	}
	m := &Model{config: config}
	base, err := url.Parse(strings.TrimRight(strings.TrimSpace(config.URL), "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		m.invalid = fmt.Errorf("the address of Ollama, %q, is not a URL: begin it with http:// or https://", config.URL)
		return m
	}
	m.base, m.config.HTTP = base, onlyServer(base, config.HTTP)
	m.facts = sync.OnceValue(m.look)
	return m
}

// Window returns two sizes in tokens: the context window, which a question and its answer share,
// and the largest window that the model supports. The Model queries the server only once and keeps
// the result. If the server does not report the sizes within half a second, Window returns 0, 0.
func (m *Model) Window() (window, widest int) {
	if m.invalid != nil || !m.facts().shown {
		return 0, 0
	}
	return m.facts().window, m.facts().own
}

// onlyServer returns a client that sends requests only to the server that the user named.
func onlyServer(server *url.URL, client *http.Client) *http.Client {
	return origin.Restrict(client, server, providers.AddressSetting(name))
}

// Close closes idle connections.
func (m *Model) Close() error {
	m.config.HTTP.CloseIdleConnections()
	return nil
}

// Respond requests one answer. If the model does not support tools, the request contains no tools.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	if m.invalid != nil {
		return providers.Reply{}, m.invalid
	}
	reply, err := m.respond(ctx, question, emit)
	if refusesTools(err) && len(question.Tools) > 0 && m.mute.CompareAndSwap(false, true) {
		reply, err = m.respond(ctx, question, emit)
	}
	var notices []string
	for range 2 { // at most one retry without pictures, and one without an effort level
		refusal := err
		if !m.turnOff(refusal, question) {
			break
		}
		if providers.RefusesPictures(refusal, question) {
			notices = append(notices, providers.UnseenNotice(m.config.Model, refusal))
		}
		reply, err = m.respond(ctx, question, emit)
	}
	reply.Notices = append(notices, reply.Notices...)
	if err == nil && len(question.Tools) > 0 && m.toolless() && m.told.CompareAndSwap(false, true) {
		reply.Notices = append(reply.Notices, fmt.Sprintf("%s cannot call tools, so it can only talk. With /model or OLLAMA_MODEL, choose a model that can call tools.", m.config.Model))
	}
	reply.Window, reply.Widest = m.facts().window, m.facts().own
	return reply, err
}

func (m *Model) respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	request, err := m.request(question)
	if err != nil {
		return providers.Reply{}, err
	}
	asking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	answer := &answer{pieces: stream.Pieces{To: emit}, asked: m.config.Model}
	tapped := &tap{next: m.config.HTTP.Transport, answer: answer}
	client := *m.config.HTTP
	client.Transport = tapped
	err = api.NewClient(m.base, &client).Chat(asking, request, func(line api.ChatResponse) error {
		answer.take(line)
		if line.Done {
			time.AfterFunc(endGrace, func() { stop(nil) }) // the server might not close the connection
		}
		return nil
	})
	answer.pieces.Release()
	reply := answer.reply()
	switch {
	case answer.done:
		m.checkPrompt(ctx, request, answer, &reply)
		most := m.config.About.Asked // the user's limit on the tokens in an answer
		if reply.Finish == providers.Length && reply.Text == "" && len(reply.Calls) == 0 && (most == 0 || answer.usage.Output < most) {
			return reply, fmt.Errorf("%w: the conversation filled the context window (%d tokens) that Ollama gives %s, and left no room for an answer", providers.ErrTooLong, m.facts().window, m.config.Model)
		}
		return reply, nil
	case ctx.Err() != nil:
		return reply, fmt.Errorf("ask %s: %w", name, context.Cause(ctx))
	}
	return reply, m.failure(ctx, err, tapped)
}

// failure returns the error for a missing or incomplete answer.
func (m *Model) failure(ctx context.Context, err error, tapped *tap) error {
	if status, ok := errors.AsType[*providers.StatusError](err); ok {
		return m.advise(ctx, status)
	}
	switch {
	case errors.Is(err, providers.ErrMalformed):
		return err
	case !tapped.answered:
		err = providers.Unreachable(m.base, err)
		if errors.Is(err, syscall.ECONNREFUSED) {
			err = fmt.Errorf("%w (start it with ollama serve)", err)
		}
		return err
	case tapped.broken != nil:
		return fmt.Errorf("%w: the connection to Ollama broke: %w", providers.ErrCut, tapped.broken)
	case err == nil && tapped.longest >= lineLimit:
		return fmt.Errorf("%w: Ollama sent a line longer than the limit of %d MB", providers.ErrCut, lineLimit/1_000_000)
	case err == nil, tapped.ended && tapped.line > 0 && isMalformed(err):
		return fmt.Errorf("%w: Ollama ended the stream without saying that the answer is complete", providers.ErrCut)
	case isMalformed(err):
		return fmt.Errorf("%w: Ollama sent a damaged line: %s", providers.ErrMalformed, cmp.Or(providers.Clean(err.Error(), ""), "it is not JSON"))
	}
	return m.advise(ctx, providers.ServerError(name, streamStatus(err.Error()), []byte(err.Error()), ""))
}

// Reachable reports whether an Ollama server answers at an address.
func Reachable(ctx context.Context, address string, client *http.Client) bool {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" {
		return false
	}
	version, err := api.NewClient(base, onlyServer(base, client)).Version(ctx)
	return err == nil && version != ""
}
