package web

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/messages"
)

//go:embed assets
var assets embed.FS

// Server serves the page.
type Server struct {
	*Guard
	host     Host
	dir      string // default directory of a new conversation
	now      func() time.Time
	listener net.Listener
	outside  []remoteListener

	mu      sync.Mutex
	streams map[string]stream
	asked   int // number of requests so far; used for request ids
	opened  int // number of pages opened so far; used for page names

	looking sync.Mutex
	looked  time.Time
	seen    []messages.Live
}

// stream describes an open page and its connection to a conversation.
type stream struct {
	name    string // name of the page, as shown in other windows
	session string
	window  Window
}

// New returns a server for a listener on loopback.
func New(listener net.Listener, host Host, dir string, now func() time.Time) *Server {
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	return &Server{Guard: newGuard(port, now), host: host, dir: dir, now: now, listener: &limitedListener{Listener: listener, own: true}, streams: map[string]stream{}}
}

// RemoteAccess describes how other machines reach the page.
type RemoteAccess struct {
	Listener net.Listener // listens with TLS
	Hosts    []string     // allowed values of the Host header, each with a port; links use the first value
	Devices  Devices
	Knocked  func(Device) // called for each device that waits for confirmation
}

// Open adds a listener for other machines. It must be called before [Server.Serve]. The returned
// guard creates links and confirms devices.
func (s *Server) Open(way RemoteAccess) *Guard {
	guard := &Guard{scheme: "https", hosts: way.Hosts, name: "__Host-marvin", devices: way.Devices, knocked: way.Knocked, now: s.now}
	s.outside = append(s.outside, remoteListener{&limitedListener{Listener: way.Listener}, guard})
	return guard
}

// remoteListener contains the listener for other machines, and the guard that checks their
// requests.
type remoteListener struct {
	listener net.Listener
	guard    *Guard
}

// Serve serves the page until ctx is canceled.
func (s *Server) Serve(ctx context.Context) error {
	var group errgroup.Group
	group.Go(func() error { return s.serve(ctx, s.listener, s.Guard) })
	for _, one := range s.outside {
		group.Go(func() error { return s.serve(ctx, one.listener, one.guard) })
	}
	return group.Wait()
}

func (s *Server) serve(ctx context.Context, listener net.Listener, guard *Guard) error {
	server := &http.Server{
		Handler: guard.guard(s.routes()), ReadHeaderTimeout: headerTime, ReadTimeout: replyTime, WriteTimeout: replyTime, IdleTimeout: idleTime,
		MaxHeaderBytes: mostHeader, ErrorLog: log.New(io.Discard, "", 0), BaseContext: func(net.Listener) context.Context { return ctx },
	}
	release := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer release()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the page: %w", err)
	}
	return nil
}

func (s *Server) routes() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /{$}", s.home)
	routes.HandleFunc("GET /events", s.homeEvents)
	routes.HandleFunc("GET /c/{id}", s.talk)
	routes.HandleFunc("GET /c/{id}/events", s.events)
	routes.HandleFunc("GET /web.css", asset("web.css", "text/css; charset=utf-8"))
	routes.HandleFunc("GET /web.js", asset("web.js", "text/javascript; charset=utf-8"))
	routes.HandleFunc("POST /start", s.start)
	routes.HandleFunc("POST /c/{id}/op", s.op)
	routes.HandleFunc("POST /c/{id}/answer", s.answer)
	routes.HandleFunc("POST /c/{id}/complete", s.complete)
	return routes
}

func asset(name, kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			fail(w, http.StatusNotFound, err)
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(text) // the browser may be gone
	}
}

func page(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, text) // the browser may be gone
}

// fail replies with a JSON error.
func fail(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()}) // the browser may be gone
}

// finish replies with the value as JSON, or with err and the status if err is not nil.
func finish(w http.ResponseWriter, value any, status int, err error) {
	if err != nil {
		fail(w, status, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the browser may be gone
}

// read decodes a request's JSON body, or replies with an error and returns false.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	most := int64(mostBody)
	if _, shows := into.(*wish); shows {
		most = mostPictures
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, most))
	err := decoder.Decode(into)
	if errors.As(err, new(*http.MaxBytesError)) {
		fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("the request is larger than %d bytes", most))
		return false
	}
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("the body is not a request: %w", messages.Misread(err)))
		return false
	}
	return true
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	live, err := s.listRunning(r.Context())
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	kept, err := s.host.ListStored()
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	kept = slices.DeleteFunc(kept, func(one StoredSession) bool {
		return slices.ContainsFunc(live, func(running messages.Live) bool { return running.ID == one.ID })
	})
	page(w, home(s.dir, accessOf(r.Context()).role, listParts(live, s.now()), kept[:min(len(kept), mostKept)]))
}

// mostKept is the maximum number of stored conversations on the home page.
const mostKept = 200

func (s *Server) findRunning(ctx context.Context, id string) (messages.Live, bool) {
	live, err := s.host.ListRunning(ctx)
	at := slices.IndexFunc(live, func(one messages.Live) bool { return one.ID == id })
	if err != nil || at < 0 {
		return messages.Live{}, false
	}
	return live[at], true
}

func (s *Server) talk(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if live, runs := s.findRunning(r.Context(), id); runs {
		page(w, talk(live, accessOf(r.Context()).role))
		return
	}
	kept, turns, err := s.host.ReadStored(id)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	page(w, storedPage(kept, turns, accessOf(r.Context()).role))
}

func (s *Server) homeEvents(w http.ResponseWriter, r *http.Request) {
	out := newSender(w, s.now)
	if s.open(out.id) == "" {
		fail(w, http.StatusServiceUnavailable, errStreams)
		return
	}
	defer s.close(out.id)
	out.endStream(s.streamList(r.Context(), out))
}

var errStreams = errors.New("too many pages are open; close some")

func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	out := newSender(w, s.now)
	name := s.open(out.id)
	if name == "" {
		fail(w, http.StatusServiceUnavailable, errStreams)
		return
	}
	defer s.close(out.id)
	window, err := s.host.Open(r.Context(), id, name, accessOf(r.Context()).role)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	defer window.Close()
	s.connect(out.id, stream{name, id, window})
	out.endStream(s.streamConversation(r.Context(), out, window, name))
}

// open registers a page and returns its name, or "" if too many pages are open.
func (s *Server) open(id string) (name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.streams) >= mostStreams {
		return ""
	}
	s.opened++
	name = "page " + strconv.Itoa(s.opened)
	s.streams[id] = stream{name: name}
	return name
}

// connect registers the window of a page.
func (s *Server) connect(id string, one stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams[id] = one
}

func (s *Server) nameOf(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.streams[id].name, "a page")
}

func (s *Server) close(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.streams, id)
}

// windowOf returns a page's window, and a new ID for the page's request. The window is nil if the
// page is not connected to the given conversation.
func (s *Server) windowOf(session, id string) (Window, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.streams[id]
	if one.session != session || one.window == nil {
		return nil, ""
	}
	s.asked++
	return one.window, "web" + strconv.Itoa(s.asked)
}

// wish is the JSON body of a request that Server.op handles.
type wish struct {
	Stream string `json:"stream"`
	Op     string `json:"op"`
	Text   string `json:"text"`
	Path   string `json:"path"`
	Hunk   int    `json:"hunk"`
	Seen   string `json:"seen"`

	Pictures []messages.Picture `json:"pictures"`
}

var errStream = errors.New("the page is not connected to the conversation; reload the page")

func (s *Server) op(w http.ResponseWriter, r *http.Request) {
	var wished wish
	if !read(w, r, &wished) {
		return
	}
	session := r.PathValue("id")
	if wished.Op == "stop" {
		finish(w, struct{}{}, http.StatusConflict, s.host.Stop(r.Context(), session))
		return
	}
	window, id := s.windowOf(session, wished.Stream)
	if window == nil {
		fail(w, http.StatusConflict, errStream)
		return
	}
	finish(w, struct{}{}, http.StatusBadRequest, wished.send(window, id))
}

func (wished wish) send(window Window, id string) error {
	ops := map[string]messages.Op{
		"steer":   messages.Prompt{Text: wished.Text, Steer: true},
		"cancel":  messages.Cancel{},
		"changes": messages.ListChanges{},
		"back":    messages.TakeBack{Path: wished.Path, Hunk: wished.Hunk, Seen: wished.Seen},
		"undo":    messages.Undo{},
		"redo":    messages.Undo{Redo: true},
	}
	op, known := ops[wished.Op]
	switch {
	case wished.Op == "line" && wished.Text == "/diff":
		op = messages.ListChanges{}
	case len(wished.Pictures) > 0 && (wished.Op == "line" || wished.Op == "steer"):
		if wished.Text == "" || wished.Text[0] == '/' {
			return errors.New("pictures need a prompt; type a prompt, not a command")
		}
		for i := range wished.Pictures {
			wished.Pictures[i].Path, wished.Pictures[i].Address = "", "" // ignore the path and address that the browser sent
		}
		op = messages.Prompt{Text: wished.Text, Pictures: wished.Pictures}
	case wished.Op == "line" && wished.Text != "":
		window.Type(id, wished.Text)
		return nil
	case wished.Op == "line" || wished.Op == "steer" && wished.Text == "":
		return errors.New("the prompt is empty")
	case !known:
		return fmt.Errorf("op %q is unknown", wished.Op)
	}
	window.Send(messages.Request{ID: id, Op: op})
	return nil
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	var answer struct {
		messages.Answer
		Stream string `json:"stream"`
	}
	if !read(w, r, &answer) {
		return
	}
	if answer.Digest == "" {
		fail(w, http.StatusBadRequest, errors.New("\"digest\" is missing; give the digest of the question that the user saw"))
		return
	}
	err := s.host.Answer(r.Context(), r.PathValue("id"), s.nameOf(answer.Stream), answer.Answer)
	finish(w, struct{}{}, http.StatusConflict, err)
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	var typed struct {
		Text string `json:"text"`
	}
	if !read(w, r, &typed) {
		return
	}
	found, err := s.host.Complete(r.Context(), r.PathValue("id"), typed.Text)
	finish(w, found, http.StatusConflict, err)
}

func (s *Server) start(w http.ResponseWriter, r *http.Request) {
	var begin StartRequest
	if !read(w, r, &begin) {
		return
	}
	if begin.Prompt == "" {
		fail(w, http.StatusBadRequest, errors.New("the prompt is empty"))
		return
	}
	if begin.Resume == "" {
		begin.Dir = cmp.Or(begin.Dir, s.dir)
	}
	_ = http.NewResponseController(w).SetWriteDeadline(s.now().Add(startTime)) // on failure, replyTime applies
	id, err := s.host.Start(r.Context(), begin)
	finish(w, map[string]string{"id": id}, http.StatusConflict, err)
}

// startTime limits the time to start a conversation.
const startTime = 90 * time.Second
