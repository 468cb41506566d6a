package modeltest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Server is an [http.Handler] that answers requests in all protocols. Its methods are safe for
// concurrent use.
type Server struct {
	URL string

	tb      testing.TB // nil outside tests
	answer  func(Request) Step
	closing chan struct{}

	mu        sync.Mutex
	requests  []Request
	count     int  // the number of requests that asked for an answer
	forgets   bool // set by Forgetful
	paths     []string
	names     map[string]bool // the tools that occur in requests or steps
	window    int             // the maximum size of a request body, in bytes; 0 means no limit
	context   int             // the context window in tokens, for /api/show
	version   string          // for /api/version
	installed []Local         // the models for /api/tags; nil means that every requested model exists
	anonymous bool
	foreign   bool
}

// Start starts a server that answers each request with the next step. The server stops when the
// test ends.
func Start(tb testing.TB, steps ...Step) *Server {
	tb.Helper()
	var mu sync.Mutex
	next := 0
	server := StartFunc(tb, func(request Request) Step {
		mu.Lock()
		defer mu.Unlock()
		if next == len(steps) {
			tb.Errorf("modeltest: request %d, but the script has only %d steps; the request ends with %s: %.500s",
				next+1, len(steps), request.Last().Role, request.Last().Text+request.Last().Result.Text)
			return Status(http.StatusInternalServerError, `{"error":{"message":"the script has no more steps"}}`)
		}
		next++
		return steps[next-1]
	})
	tb.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		if next < len(steps) && !tb.Failed() {
			tb.Errorf("modeltest: the script has %d steps, but there were %d requests", len(steps), next)
		}
	})
	return server
}

// StartFunc starts a server that calls a function for each request and serves the returned step.
// Concurrent requests call the function concurrently. The server stops when the test ends.
func StartFunc(tb testing.TB, answer func(Request) Step) *Server {
	tb.Helper()
	server := New(answer)
	server.tb, server.anonymous = tb, false
	listening := httptest.NewServer(server)
	server.URL = listening.URL
	tb.Cleanup(func() {
		close(server.closing)
		listening.Close()
	})
	return server
}

// New returns a server for use outside tests. The server requires no API key and has no listener.
func New(answer func(Request) Step) *Server {
	return &Server{answer: answer, closing: make(chan struct{}), names: map[string]bool{}, context: 131072, version: "0.17.4", anonymous: true}
}

// Serve answers requests on listener and returns nil when listener is closed. It is for use outside
// tests.
func Serve(listener net.Listener, answer func(Request) Step) error {
	handler := New(answer).Forgetful()
	server := &http.Server{Handler: handler} //nolint:gosec // callers use loopback; slow clients must work
	if err := server.Serve(listener); !errors.Is(err, net.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve models: %w", err)
	}
	return nil
}

func (s *Server) set(change func()) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	return s
}

// Forgetful turns off the recording of requests, to save memory in long-running programs.
func (s *Server) Forgetful() *Server {
	return s.set(func() { s.forgets = true })
}

// Keyless makes the server accept requests without an API key.
func (s *Server) Keyless() *Server {
	return s.set(func() { s.anonymous = true })
}

// Window sets the maximum size of a request body, in bytes. The server answers a larger body with a
// context overflow error, but the test does not fail.
func (s *Server) Window(size int) *Server {
	return s.set(func() { s.window = size })
}

// Context sets the context length that /api/show reports for every model; 0 means unknown.
func (s *Server) Context(tokens int) *Server {
	return s.set(func() { s.context = tokens })
}

// Version sets the version that /api/version reports.
func (s *Server) Version(version string) *Server {
	return s.set(func() { s.version = version })
}

// Requests returns the recorded chat requests in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Forget drops the stored requests. The requests of 10,000 rounds would take 20 GB.
func (s *Server) Forget() {
	s.set(func() { s.requests, s.paths = nil, nil })
}

// Paths returns the paths of all requests so far.
func (s *Server) Paths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.paths)
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(to http.ResponseWriter, incoming *http.Request) {
	s.mu.Lock()
	if !s.forgets {
		s.paths = append(s.paths, incoming.URL.Path)
	}
	context, version := s.context, s.version
	s.mu.Unlock()
	switch path := incoming.URL.Path; {
	case strings.HasSuffix(path, "/chat/completions"):
		s.chat(to, incoming, OpenAI)
	case strings.HasSuffix(path, "/messages"):
		s.chat(to, incoming, Anthropic)
	case strings.HasSuffix(path, "/responses"):
		s.chat(to, incoming, Responses)
	case strings.HasSuffix(path, "/models"):
		s.models(to, incoming)
	case path == "/api/chat":
		s.chat(to, incoming, Ollama)
	case path == "/api/version":
		_, _ = to.Write(encode(map[string]any{"version": version}))
	case path == "/api/show":
		s.show(to, incoming, context)
	case path == "/api/tags":
		s.tags(to)
	default:
		s.errorf("request for %s, a path that neither protocol defines", path)
		http.NotFound(to, incoming)
	}
}

func (s *Server) chat(to http.ResponseWriter, incoming *http.Request, wire Wire) {
	raw, err := io.ReadAll(incoming.Body)
	if err != nil {
		return // the client disconnected
	}
	s.mu.Lock()
	read, foreign := decode, s.foreign
	s.mu.Unlock()
	if foreign {
		read = decodeForeign
	}
	request, broken := read(wire, raw)
	request.Header = incoming.Header.Clone()
	s.mu.Lock()
	request.N = s.count
	s.count++
	if !s.forgets {
		s.requests = append(s.requests, request)
	}
	window, anonymous := s.window, s.anonymous || foreign
	s.mu.Unlock()

	if (wire == OpenAI || wire == Responses) && !anonymous && !strings.HasPrefix(request.Header.Get("Authorization"), "Bearer ") {
		s.errorf("request %d has no Authorization header", request.N)
		refuse(to, wire, http.StatusUnauthorized, "You didn't provide an API key.", "invalid_request_error", "")
		return
	}
	if wire == Anthropic && (!anonymous && request.Header.Get("x-api-key") == "" || request.Header.Get("anthropic-version") == "") {
		s.errorf("request %d has no x-api-key or no anthropic-version", request.N)
		refuse(to, wire, http.StatusUnauthorized, "x-api-key header is required", "authentication_error", "")
		return
	}
	if wire == Ollama && s.missing(to, request) {
		return
	}
	if window > 0 && len(raw) > window && wire == Ollama {
		refuse(to, wire, http.StatusBadRequest, "the input length exceeds the context length", "", "")
		return
	}
	if window > 0 && len(raw) > window {
		refuse(to, wire, http.StatusBadRequest, fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.",
			window/4, len(raw)/4), "invalid_request_error", "context_length_exceeded")
		return
	}
	var breaches []string
	if !foreign {
		breaches = check(request)
	}
	if broken != nil {
		breaches = append(breaches, broken.Error())
	}
	if !foreign {
		breaches = append(breaches, s.strangers(request)...)
	}
	step := s.answer(request)
	s.learn(step)
	switch {
	case len(breaches) == 0 && step.refused:
		s.errorf("request %d ought to be refused, but it is valid: %.2000s", request.N, raw)
	case len(breaches) > 0 && !step.refused:
		s.errorf("request %d would be refused:\n\t%s\nbody: %.4000s", request.N, strings.Join(breaches, "\n\t"), raw)
	}
	if len(breaches) > 0 || step.refused {
		refuse(to, wire, http.StatusBadRequest, strings.Join(breaches, "; "), "invalid_request_error", "")
		return
	}
	s.play(to, incoming, request, step)
}

var outsideName = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

func (s *Server) errorf(format string, args ...any) {
	if s.tb != nil {
		s.tb.Errorf("modeltest: "+format, args...)
	}
}
