package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages/origin"
	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/internal/envvar"
	"marvin/tools/internal/proc"
)

// Ground describes the environment in which a server runs.
type Ground struct {
	Version string // Marvin's version, reported to the server
	Environ []string
	Dir     string // absolute path of the conversation's directory (the only root)
	// Own is the server's own directory. The program runs in Own if Dir is empty, or if the settings
	// exempt the program from the sandbox.
	Own     string
	Home    *persistence.Home // storage for logins and permissions, or nil
	Sandbox *tools.Sandbox
	Now     func() time.Time
	// Changed is called when the server's tools have changed. It must not block.
	Changed func()
}

// Session is a connection to one server. It is safe for concurrent use.
type Session struct {
	Name    string
	config  settings.Server
	ground  Ground
	child   *proc.Served // nil for a remote server
	hold    confinement
	client  *sdk.ClientSession
	traffic *traffic
	end     context.CancelFunc
	once    sync.Once

	mu      sync.Mutex
	said    bytes.Buffer           // the server's output between its messages
	running map[string]*activeCall // running calls, by progress token
	calls   atomic.Int64
	strayed atomic.Pointer[origin.Error] // the first error that strayRecorder saw
}

// Patience is the time limit for starting a server.
const Patience = 30 * time.Second

// firstPatience replaces Patience for the first start of a program, during which npx and uvx
// download the program.
const firstPatience = 2 * time.Minute

// Connect starts a local server, or contacts a remote one, and negotiates the protocol.
func Connect(ctx context.Context, name string, config settings.Server, ground Ground) (*Session, error) {
	s := &Session{Name: name, config: config, ground: ground, running: map[string]*activeCall{}}
	s.traffic = newTraffic(ground.Now, s.note)
	client := sdk.NewClient(&sdk.Implementation{Name: "marvin", Version: ground.Version}, &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{RootsV2: &sdk.RootCapabilities{}},
		ElicitationHandler:          s.elicit,
		CreateMessageHandler:        s.sample,
		ProgressNotificationHandler: s.showProgress,
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
			if ground.Changed != nil {
				ground.Changed()
			}
		},
	})
	if ground.Dir != "" {
		client.AddRoots(&sdk.Root{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(ground.Dir)}).String(), Name: filepath.Base(ground.Dir)})
	}
	transport, err := s.transport()
	if err != nil {
		return nil, err
	}
	// Pass client.Connect a context that outlives the call. The SSE transport uses the context for
	// the whole connection.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	s.end = end
	patience := Patience
	if s.hold.learning {
		patience = firstPatience
	}
	ctx, stop := context.WithTimeoutCause(ctx, patience, fmt.Errorf("it sent no answer for %s", patience))
	defer stop()
	calm := context.AfterFunc(ctx, end)
	if s.client, err = client.Connect(life, transport, nil); err == nil && calm() {
		return s, nil
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if strayed := s.strayed.Load(); strayed != nil {
		err = strayed // the library's error can omit this cause
	}
	if s.child != nil {
		s.awaitExit()
		s.child.Stop()
	}
	end()
	return nil, s.didNotBegin(fmt.Errorf("the server %s did not start: %w", name, err))
}

// didNotBegin returns the error for a server that did not start. The error names any rights that
// the server lacked.
func (s *Session) didNotBegin(err error) error {
	if s.hold.gate != nil {
		defer s.hold.gate.Close()
	}
	err = s.explainFailure(err)
	wish := s.newWishes()
	if wish.Empty() {
		return err
	}
	return errors.Join(fmt.Errorf("%w\nThe server tried to %s. Earlier, it did not need this permission; to grant it, use \"marvin mcp approve %s\"", err, wish.Wish(), s.Name), keepWish(s.ground.Home, s.Name, wish, Profile{}))
}

// awaitExit gives the program 200 ms to exit by itself, so that explainFailure can report the exit
// status.
func (s *Session) awaitExit() {
	if s.child == nil {
		return
	}
	select {
	case <-s.child.Gone():
	case <-time.After(200 * time.Millisecond):
	}
}

// transport starts the program of a local server. For a remote server, it only prepares the
// connection.
func (s *Session) transport() (sdk.Transport, error) {
	if s.config.URL != "" {
		headers := http.Header{}
		for _, name := range slices.Sorted(maps.Keys(s.config.Headers)) {
			value, err := s.expanded(s.config.Headers[name])
			if err != nil {
				return nil, fmt.Errorf("the header %s of the server %s: %w", name, s.Name, err)
			}
			headers.Set(name, value)
		}
		at, err := url.Parse(s.config.URL)
		if err != nil {
			return nil, fmt.Errorf("the address of the server %s: %w", s.Name, err)
		}
		client := origin.New(readableAnswers{said: s.note, traffic: s.traffic, next: withHeaders{headers, &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: 30 * time.Second}}})
		client = origin.Restrict(client, at, "the url of the server "+s.Name)
		client.Transport = strayRecorder{client.Transport, &s.strayed}
		if strings.HasSuffix(strings.TrimSuffix(at.Path, "/"), "/sse") {
			return &sdk.SSEClientTransport{Endpoint: s.config.URL, HTTPClient: client, MaxEventSize: longestLine}, nil
		}
		transport := &sdk.StreamableClientTransport{Endpoint: s.config.URL, HTTPClient: client, MaxRetries: 2, MaxEventSize: longestLine}
		if s.ground.Home != nil && headers.Get("Authorization") == "" {
			transport.OAuthHandler = &bearer{name: s.Name, address: s.config.URL, logins: logins.Servers{Home: s.ground.Home}}
		}
		return transport, nil
	}
	command, err := s.command()
	if err != nil {
		return nil, err
	}
	if s.child, err = proc.Serve(command); err != nil {
		return nil, fmt.Errorf("the server %s was not started: %w", s.Name, err)
	}
	return &sdk.IOTransport{Reader: newFilter(s.child.Stdout, s.note, s.traffic), Writer: sentCounter{s.child.Stdin, s.traffic}, MaxLineLength: 2 * longestLine}, nil
}

func (s *Session) expanded(value string) (string, error) {
	var missing error
	text := expand(value, func(name string, optional bool) string {
		found := envvar.Lookup(s.ground.Environ, name)
		if found == "" && !optional && missing == nil {
			missing = fmt.Errorf("$%s is not set in Marvin's environment; set it, or write the value into config.yaml", name)
		}
		return found
	})
	return text, missing
}

// strayRecorder is a transport that records the first [origin.Error]. Such an error means that a
// request was refused, because its address was outside the server's origin.
type strayRecorder struct {
	next    http.RoundTripper
	strayed *atomic.Pointer[origin.Error]
}

func (r strayRecorder) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.next.RoundTrip(request)
	if strayed, ok := errors.AsType[*origin.Error](err); ok {
		r.strayed.CompareAndSwap(nil, strayed)
	}
	return response, err
}

// withHeaders adds headers to each request. The HTTP client must be restricted with
// [origin.Restrict], so that a redirect cannot send the headers to another host.
type withHeaders struct {
	headers http.Header
	next    http.RoundTripper
}

func (w withHeaders) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	maps.Copy(request.Header, w.headers)
	return w.next.RoundTrip(request)
}

// note appends a line to s.said. The server wrote this line between its messages.
func (s *Session) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said.Len() < 64<<10 {
		s.said.WriteString(line + "\n")
	}
}

// Log returns the server's output between protocol messages, followed by its standard error.
func (s *Session) Log() string {
	s.mu.Lock()
	said := s.said.String()
	s.mu.Unlock()
	if s.child != nil {
		said += s.child.StderrText()
	}
	return said
}

// explainFailure adds the program's exit status and its last output to an error.
func (s *Session) explainFailure(err error) error {
	if s.child == nil {
		return err
	}
	select {
	case <-s.child.Gone():
		if end := s.child.Ended(); end.Signal != "" {
			err = fmt.Errorf("%w; it was ended by a signal (%s)", err, end.Signal)
		} else {
			err = fmt.Errorf("%w; it ended with code %d", err, end.ExitCode)
		}
	default:
	}
	if last := lastLines(s.Log(), 3); last != "" {
		err = fmt.Errorf("%w; its last output: %s", err, last)
	}
	return err
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(tools.Visible(text)), "\n")
	text = strings.Join(lines[max(0, len(lines)-n):], " | ")
	return text[max(0, len(text)-600):]
}

// Wait waits for the connection to end and returns the reason.
func (s *Session) Wait() error {
	err := s.client.Wait()
	if err == nil {
		err = errors.New("it closed the connection")
	}
	if s.child != nil {
		s.awaitExit()
		s.child.Stop()
	}
	return s.explainFailure(fmt.Errorf("the server %s is gone: %w", s.Name, err))
}

// Close ends the connection and the program.
func (s *Session) Close() {
	s.once.Do(func() {
		if s.child != nil {
			s.child.Stop() // before client.Close, which blocks if the program reads nothing
		}
		if s.hold.gate != nil {
			s.hold.gate.Close()
		}
		_ = s.client.Close()
		s.end()
	})
}
