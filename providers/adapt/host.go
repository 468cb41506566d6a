package adapt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"marvin/providers"
)

// mostExtra is the most further requests of one question. The last one changes all that may be
// refused next, so that a server that refuses several things one by one answers it too.
const mostExtra = 2

// Host is one model at one address, and what is known of its requests. All conversations with
// the model share it. Its methods are safe to call at once.
type Host struct {
	Provider string // for the notices
	Model    string
	Origin   string // names the model as the source of its thoughts; "" if it gets none back
	// Header and Body are what the user's configuration adds to each request. A field of Body
	// takes the place of a field of the request, an object is merged into it.
	Header map[string]string
	Body   map[string]any
	// Tools is false for a model that the configuration says takes no tools.
	Tools *bool
	// Closed means that another program writes the requests, so that only questions can change.
	Closed bool
	// Own says whether a tool is Marvin's own; the tools of others are left out first. nil
	// means that all are of others.
	Own func(name string) bool
	// Keep gets what was learned, for [Host.Begin] of another process; nil keeps nothing.
	Keep func([]byte)

	mu     sync.Mutex
	known  form
	search search
	futile map[string]bool // refusals with a status of 500 and above that no change helped
}

// form is how the requests differ from the usual ones.
type form struct {
	shapes   shapes
	fields   []string // left out
	keywords []string // of JSON schemas, left out
	tools    []string // left out, by name
	suspects []string // those of tools that no refusal names
	most     int      // the most tokens of an answer that the server takes; 0 for no bound
	v1       bool     // the address needs /v1
	tried    []string // suspects that this request offers again
	named    bool     // the last refusal named what was changed then
	said     []string // what changed, for the user
}

func (f form) clone() form {
	f.fields, f.keywords, f.tools = slices.Clone(f.fields), slices.Clone(f.keywords), slices.Clone(f.tools)
	f.suspects, f.said = slices.Clone(f.suspects), slices.Clone(f.said)
	return f
}

// attempt is one request; the transport finds it in the context.
type attempt struct {
	form form
	path string                        // of the address that was asked
	body func() (io.ReadCloser, error) // what was sent
}

type attemptKey struct{}

// Wrap makes a model whose requests are adapted. Its client must be one of [Host.Client].
func (h *Host) Wrap(model providers.Model) providers.Model { return &adapted{model, h} }

type adapted struct {
	providers.Model
	host *Host
}

// Respond implements [providers.Model].
func (a *adapted) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	form, shown := a.host.start(), false
	form.tools, form.tried = a.host.probe(form.tools)
	changes := len(form.said)
	heard := func(part providers.Part) {
		shown = shown || part.Kind != providers.NoticePart
		emit(part)
	}
	var refused providers.Reply
	var refusal error
	progress := form // what helped against a refusal that another one followed
	for extra := 0; ; extra++ {
		asked := a.host.shape(form, question)
		at := &attempt{form: form}
		if a.host.Closed {
			at.body = written(asked)
		}
		reply, err := a.Model.Respond(context.WithValue(ctx, attemptKey{}, at), asked, heard)
		if err == nil {
			reply.Notices = append(reply.Notices, a.host.took(form, changes, refusal)...)
			return reply, nil
		}
		status, adaptable := a.host.adaptable(err)
		if shown || ctx.Err() != nil || !adaptable {
			a.host.giveBack(form.tried)
			return reply, err
		}
		if len(form.tried) > 0 { // the request without them was taken before
			a.host.refuses(form.tried)
			form = a.host.start()
			continue
		}
		if before, ok := errors.AsType[*providers.StatusError](refusal); ok && form.named && before.Message != status.Message {
			progress = form
		}
		if refusal == nil {
			refused, refusal = reply, err
		}
		next, changed := form, false
		if extra < mostExtra {
			next, changed = a.host.after(form.clone(), asked, at, status, extra == mostExtra-1)
		}
		if !changed {
			if len(progress.said) > changes { // the next question begins with it
				a.host.learn(progress)
			}
			a.host.helpless(refusal)
			return refused, refusal
		}
		form = next
	}
}

// took records that the server accepted a form, and returns notices about new adaptations.
func (h *Host) took(taken form, changes int, refusal error) (notices []string) {
	if len(taken.tried) > 0 {
		notices = append(notices, h.accepts(taken.tried))
	}
	if len(taken.said) > changes {
		h.learn(taken)
		h.keep()
		notices = append(notices, h.notice(taken.said[changes:], refusal))
	}
	return notices
}

// start is the form of the first request of a question.
func (h *Host) start() form {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.known.clone()
}

// learn keeps a form that the server took.
func (h *Host) learn(taken form) {
	h.mu.Lock()
	defer h.mu.Unlock()
	join := func(to *[]string, more []string) {
		for _, one := range more {
			if !slices.Contains(*to, one) {
				*to = append(*to, one)
			}
		}
	}
	join(&h.known.fields, taken.fields)
	join(&h.known.keywords, taken.keywords)
	join(&h.known.tools, taken.tools)
	h.search.begin(taken.suspects)
	h.known.shapes |= taken.shapes
	h.known.v1 = h.known.v1 || taken.v1
	if taken.most > 0 {
		h.known.most = taken.most
	}
}

func (h *Host) notice(changes []string, refusal error) string {
	why := ""
	if status, ok := errors.AsType[*providers.StatusError](refusal); ok {
		why = fmt.Sprintf(" (%d: %.200s)", status.Status, status.Message)
	}
	return fmt.Sprintf("%s, %s refused the request%s and took it after a change, which Marvin keeps for this model: %s", h.Provider, h.Model, why, strings.Join(changes, "; "))
}

// adaptable says whether an error is a refusal of the request as it was, which another form of
// it may avoid.
func (h *Host) adaptable(err error) (*providers.StatusError, bool) {
	status, ok := errors.AsType[*providers.StatusError](err)
	long := errors.Is(err, providers.ErrTooLong) && !strings.Contains(strings.ToLower(err.Error()), "completion") && !strings.Contains(err.Error(), "max_tokens")
	if !ok || long || errors.Is(err, providers.ErrNoCredit) {
		return nil, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch status.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		return status, true
	case http.StatusInternalServerError, http.StatusNotImplemented:
		return status, !h.futile[status.Message]
	}
	return nil, false
}

// helpless notes an error of the server that no other form of the request avoids, so that the
// tries that follow take one request each.
func (h *Host) helpless(refusal error) {
	status, ok := errors.AsType[*providers.StatusError](refusal)
	if !ok || status.Status < http.StatusInternalServerError {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.futile == nil {
		h.futile = map[string]bool{}
	}
	h.futile[status.Message] = true
}

// Client is a copy of a client whose requests have the form that is known.
func (h *Host) Client(client *http.Client) *http.Client {
	own := *client
	own.Transport = &transport{h, client.Transport}
	return &own
}

type transport struct {
	host *Host
	next http.RoundTripper
}

// CloseIdleConnections lets a client give back its connections.
func (t *transport) CloseIdleConnections() {
	if next, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	at, _ := request.Context().Value(attemptKey{}).(*attempt)
	question := at != nil && request.Method == http.MethodPost && request.Body != nil && isQuestion(request.URL.Path)
	if len(t.host.Header) > 0 || question {
		request = request.Clone(request.Context())
	}
	for name, value := range t.host.Header {
		request.Header.Set(name, value)
	}
	if question {
		at.path = request.URL.Path
		if at.form.v1 {
			request.URL.Path, request.URL.RawPath = withV1(request.URL.Path), ""
		}
		if err := t.host.rewrite(request, at); err != nil {
			return nil, err
		}
	}
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	return next.RoundTrip(request)
}

// endpoints end the paths of questions.
var endpoints = []string{"/chat/completions", "/messages", "/responses", "/api/chat"}

func isQuestion(path string) bool {
	return slices.ContainsFunc(endpoints, func(end string) bool { return strings.HasSuffix(path, end) })
}

// withV1 puts /v1 in front of the endpoint.
func withV1(path string) string {
	for _, end := range endpoints {
		if before, ok := strings.CutSuffix(path, end); ok {
			return before + "/v1" + end
		}
	}
	return path
}

// rewrite gives the body the form of the attempt. A body that stays as it is is not read.
func (h *Host) rewrite(request *http.Request, at *attempt) error {
	f := at.form
	if request.GetBody != nil && len(h.Body) == 0 && len(f.fields)+len(f.keywords) == 0 && f.shapes&inBody == 0 && f.most == 0 {
		at.body = request.GetBody
		return nil
	}
	raw, err := io.ReadAll(request.Body)
	if err = errors.Join(err, request.Body.Close()); err != nil {
		return fmt.Errorf("read the request for %s: %w", h.Provider, err)
	}
	if changed, err := h.reform(raw, f); err == nil { // else it goes as it is
		raw = changed
	}
	at.body = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	request.Body, _ = at.body()
	request.GetBody, request.ContentLength = at.body, int64(len(raw))
	return nil
}

// sent is the body of an attempt, nil if there was none.
func (a *attempt) sent() map[string]json.RawMessage {
	if a.body == nil {
		return nil
	}
	body, err := a.body()
	if err != nil {
		return nil
	}
	defer body.Close()
	var fields map[string]json.RawMessage
	if json.NewDecoder(body).Decode(&fields) != nil {
		return nil
	}
	return fields
}

// names are the fields of a body, the longest ones first: stream_options is looked for before
// stream.
func names(fields map[string]json.RawMessage) []string {
	all := slices.Sorted(maps.Keys(fields))
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// search finds which of the tools of others a server refuses if its refusal names none. All of
// them are left out then. Each of the next questions offers some again: twice as many after a
// success, half as many after a refusal. So a question takes one further request at most.
type search struct {
	suspects []string
	size     int  // how many are offered next
	busy     bool // a question offers some now
}

// begin adds tools that are left out. One alone is the one that is refused.
func (s *search) begin(suspects []string) {
	if len(suspects) > 1 {
		s.suspects = suspects
		s.size = len(suspects) / 2
	}
}

// probe returns the tools that the next question leaves out, and those that it offers again.
func (h *Host) probe(out []string) (left, tried []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.search.busy || len(h.search.suspects) == 0 {
		return out, nil
	}
	h.search.busy = true
	tried = slices.Clone(h.search.suspects[:min(h.search.size, len(h.search.suspects))])
	return slices.DeleteFunc(out, func(name string) bool { return slices.Contains(tried, name) }), tried
}

// giveBack ends a probe without a result.
func (h *Host) giveBack(tried []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = h.search.busy && len(tried) == 0
}

// accepts notes that the server took tools that were left out, and says so to the user.
func (h *Host) accepts(tried []string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = false
	h.search.size *= 2
	h.drop(tried)
	h.known.tools = slices.DeleteFunc(h.known.tools, func(name string) bool { return slices.Contains(tried, name) })
	return fmt.Sprintf("%s, %s accepts these foreign tools, which Marvin offers again: %s", h.Provider, h.Model, strings.Join(tried, ", "))
}

// refuses notes that the server refused some tools. One alone stays left out.
func (h *Host) refuses(tried []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = false
	h.search.size = max(1, len(tried)/2)
	if len(tried) == 1 {
		h.drop(tried)
	}
}

// drop takes tools from those that are under suspicion.
func (h *Host) drop(tried []string) {
	h.search.suspects = slices.DeleteFunc(h.search.suspects, func(name string) bool { return slices.Contains(tried, name) })
}
