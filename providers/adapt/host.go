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

// mostExtra is the maximum number of times that a refused question is sent again. Some servers
// report only one refused part at a time. The last attempt therefore changes everything that the
// server might refuse.
const mostExtra = 2

// Host represents one model at one address, and stores the adaptations that requests to this model
// need. All conversations with the model share one Host. The methods of a Host are safe for
// concurrent use.
type Host struct {
	Provider string // the provider's name in notices and errors
	Model    string
	Origin   string // the origin of this model's thoughts; "" if thoughts are not sent back
	// Header and Body come from the user's configuration and are added to each request. The fields
	// in Body replace those of the request, but objects are merged.
	Header map[string]string
	Body   map[string]any
	// Tools is false if the configuration says that the model does not support tools.
	Tools *bool
	// Closed means that another program writes the request bodies, so this package can change only
	// the questions.
	Closed bool
	// Own reports whether a tool is Marvin's own; other tools are left out first. If Own is nil, no
	// tool is Marvin's own.
	Own func(name string) bool
	// Keep stores the known adaptations so that a later process can pass them to [Host.Begin]. If
	// Keep is nil, nothing is stored.
	Keep func([]byte)

	mu     sync.Mutex
	known  form
	search search
	// futile contains the message of each server error that persisted despite adaptation.
	futile map[string]bool
}

// form is a set of differences from the usual request.
type form struct {
	shapes   shapes
	fields   []string // fields to leave out
	keywords []string // schema keywords to leave out
	tools    []string // tools to leave out, by name
	suspects []string // tools that are left out although the refusal did not name them
	most     int      // maximum number of tokens in an answer; 0 for no limit
	v1       bool     // the address needs /v1
	tried    []string // the suspects that this request offers again
	named    bool     // whether the last refusal named its cause
	said     []string // the changes, described for the user
}

func (f form) clone() form {
	f.fields, f.keywords, f.tools = slices.Clone(f.fields), slices.Clone(f.keywords), slices.Clone(f.tools)
	f.suspects, f.said = slices.Clone(f.suspects), slices.Clone(f.said)
	return f
}

// attempt is one request. The transport finds it in the context.
type attempt struct {
	form form
	path string
	body func() (io.ReadCloser, error)
}

type attemptKey struct{}

// Wrap returns a model that adapts the requests of the given model. The given model must use a
// client from [Host.Client].
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
	progress := form // the last form whose refusal differed from the first refusal
	for extra := 0; ; extra++ {
		asked := a.host.applyForm(form, question)
		at := &attempt{form: form}
		if a.host.Closed {
			at.body = standInBody(asked)
		}
		reply, err := a.Model.Respond(context.WithValue(ctx, attemptKey{}, at), asked, heard)
		if err == nil {
			reply.Notices = append(reply.Notices, a.host.rememberForm(form, changes, refusal)...)
			return reply, nil
		}
		status, adaptable := a.host.adaptable(err)
		if shown || ctx.Err() != nil || !adaptable {
			a.host.giveBack(form.tried)
			return reply, err
		}
		if len(form.tried) > 0 { // the tools in form.tried probably caused the refusal
			a.host.offerRefused(form.tried)
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
			next, changed = a.host.adapt(form.clone(), asked, at, status, extra == mostExtra-1)
		}
		if !changed {
			if len(progress.said) > changes { // later questions reuse the partial adaptation
				a.host.learn(progress)
			}
			a.host.markFutile(refusal)
			return refused, refusal
		}
		form = next
	}
}

// rememberForm records the form of an accepted request, and returns notices about new adaptations.
func (h *Host) rememberForm(taken form, changes int, refusal error) (notices []string) {
	if len(taken.tried) > 0 {
		notices = append(notices, h.offerAccepted(taken.tried))
	}
	if len(taken.said) > changes {
		h.learn(taken)
		h.keep()
		notices = append(notices, h.notice(taken.said[changes:], refusal))
	}
	return notices
}

// start returns a copy of the form with all known adaptations.
func (h *Host) start() form {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.known.clone()
}

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
	return fmt.Sprintf("%s, %s refused the request%s, but accepted it after this change, which Marvin also makes in later requests to the model: %s", h.Provider, h.Model, why, strings.Join(changes, "; "))
}

// adaptable returns the refusal that err wraps, and whether another form of the request might
// succeed.
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

// markFutile records a server error that no form of the request avoids. After such an error, later
// questions are sent only once.
func (h *Host) markFutile(refusal error) {
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

// Client copies an HTTP client. The copy's transport adapts requests.
func (h *Host) Client(client *http.Client) *http.Client {
	own := *client
	own.Transport = &transport{h, client.Transport}
	return &own
}

type transport struct {
	host *Host
	next http.RoundTripper
}

// CloseIdleConnections closes the idle connections of the underlying transport.
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

// endpoints contains the suffixes of the paths to which questions are sent.
var endpoints = []string{"/chat/completions", "/messages", "/responses", "/api/chat"}

func isQuestion(path string) bool {
	return slices.ContainsFunc(endpoints, func(end string) bool { return strings.HasSuffix(path, end) })
}

func withV1(path string) string {
	for _, end := range endpoints {
		if before, ok := strings.CutSuffix(path, end); ok {
			return before + "/v1" + end
		}
	}
	return path
}

// rewrite adapts the request body to the attempt. If no change is needed and GetBody is set, the
// body stays unread.
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
	if changed, err := h.reform(raw, f); err == nil { // if reform fails, the body is sent unchanged
		raw = changed
	}
	at.body = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	request.Body, _ = at.body()
	request.GetBody, request.ContentLength = at.body, int64(len(raw))
	return nil
}

// sent decodes the request body. It returns nil if the body is missing or is not a JSON object.
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

// names returns the field names, longest first, so that "stream_options" is before "stream".
func names(fields map[string]json.RawMessage) []string {
	all := slices.Sorted(maps.Keys(fields))
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// search is the search for the tools that a server refused without naming them. All tools except
// Marvin's own are suspects. The first request leaves out all suspects, and each later question
// offers some of them again. The number of offered suspects doubles after a success and halves
// after a refusal. Each question therefore needs at most one extra request.
type search struct {
	suspects []string
	size     int  // the number of tools to offer next
	busy     bool // a question in progress offers some of the suspected tools
}

// begin initializes the search for the refused tools. A single suspect needs no search, because it
// must be the refused tool.
func (s *search) begin(suspects []string) {
	if len(suspects) > 1 {
		s.suspects = suspects
		s.size = len(suspects) / 2
	}
}

// probe selects the suspects that the next request offers again. It returns the tools that remain
// left out, and the selected suspects.
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

// giveBack ends a probe that had no result.
func (h *Host) giveBack(tried []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = h.search.busy && len(tried) == 0
}

// offerAccepted ends an accepted probe, and returns a notice for the user.
func (h *Host) offerAccepted(tried []string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = false
	h.search.size *= 2
	h.drop(tried)
	h.known.tools = slices.DeleteFunc(h.known.tools, func(name string) bool { return slices.Contains(tried, name) })
	return fmt.Sprintf("%s, %s accepts these tools after all, so Marvin offers them again: %s", h.Provider, h.Model, strings.Join(tried, ", "))
}

// offerRefused ends a refused probe. If the probe offered only one tool, that tool is never offered
// again.
func (h *Host) offerRefused(tried []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.search.busy = false
	h.search.size = max(1, len(tried)/2)
	if len(tried) == 1 {
		h.drop(tried)
	}
}

func (h *Host) drop(tried []string) {
	h.search.suspects = slices.DeleteFunc(h.search.suspects, func(name string) bool { return slices.Contains(tried, name) })
}
