package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"marvin/messages"
	"marvin/providers"
)

// Wired returns a function for goldentest.Transcript. The function sends questions to a model, and
// returns the parts, the reply, and the requests including the given headers. It accepts these
// calls:
//
//	model ARGS                          creates a new model
//	answer STATUS;Name=value BODY       adds an answer; the first after "ask" removes the old ones
//	answer@PATH STATUS;Name=value BODY  sets the answer for one path
//	ask {…}                             sends a question
//
// The server gives the answers in order and repeats the last one. In BODY, \n is a line break.
func Wired(t *testing.T, made func(args, address string) (providers.Model, error), headers ...string) func(name, args string) (string, error) {
	t.Helper()
	w := &wire{shown: headers, at: map[string]string{}}
	server := httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(server.Close)
	var model providers.Model
	t.Cleanup(func() {
		if model != nil {
			_ = model.Close()
		}
	})
	return func(name, args string) (text string, err error) {
		if path, ok := strings.CutPrefix(name, "answer@"); ok {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.at[path] = args
			return "", nil
		}
		switch name {
		case "model":
			if model != nil {
				_ = model.Close()
			}
			model, err = made(args, server.URL)
		case "answer":
			w.mu.Lock()
			if w.spent {
				w.answers, w.spent = nil, false
			}
			w.answers = append(w.answers, args)
			w.mu.Unlock()
		case "ask":
			var question providers.Question
			if err = json.Unmarshal([]byte(args), &question); err != nil {
				return "", err
			}
			text, err = w.ask(t, model, question)
		default:
			err = fmt.Errorf("nothing is called %s", name)
		}
		if err != nil {
			err = errors.New(strings.ReplaceAll(err.Error(), server.URL, "http://server"))
		}
		return strings.ReplaceAll(text, server.URL, "http://server"), err
	}
}

// wire is a server that records all requests and returns prepared answers.
type wire struct {
	shown   []string
	mu      sync.Mutex
	at      map[string]string // answers, by path
	answers []string
	spent   bool // the next "answer" line replaces the list of answers
	noted   []string
}

func (w *wire) serve(out http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // after an error, the transcript contains the partial body
	noted := "sent " + r.Method + " " + r.URL.RequestURI()
	for _, name := range w.shown {
		if value := r.Header.Get(name); value != "" {
			noted += fmt.Sprintf(" %s=%q", name, value)
		}
	}
	w.mu.Lock()
	w.noted = append(w.noted, strings.TrimSpace(noted+" "+string(body)))
	answer := "404 no answer was set up for this"
	switch at, of := w.at[r.URL.Path]; {
	case of:
		answer = at
	case len(w.answers) > 0:
		if answer = w.answers[0]; len(w.answers) > 1 {
			w.answers = w.answers[1:]
		}
	}
	w.mu.Unlock()
	head, said, _ := strings.Cut(answer, " ")
	number, headers, _ := strings.Cut(head, ";")
	for pair := range strings.SplitSeq(headers, ";") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			out.Header().Set(name, value)
		}
	}
	status, err := strconv.Atoi(number)
	if err != nil {
		status = http.StatusTeapot
	}
	out.WriteHeader(status)
	_, _ = io.WriteString(out, strings.ReplaceAll(said, `\n`, "\n"))
}

// ask sends the question to the model. The result lists the requests, the parts and the reply.
func (w *wire) ask(t *testing.T, model providers.Model, question providers.Question) (string, error) {
	var parts []string
	reply, err := model.Respond(t.Context(), question, func(part providers.Part) {
		parts = append(parts, fmt.Sprintf("part %d %q size %d wait %s", part.Kind, part.Text, part.Size, part.Wait))
	})
	late := ""
	if reply.Rest != nil {
		late = fmt.Sprintf("\nlater %+v", reply.Rest())
		reply.Rest = nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := append(w.noted, parts...)
	w.noted, w.spent = nil, true
	shown, failed := json.Marshal(struct {
		Text           string              `json:"text,omitempty"`
		Thinking       []messages.Thought  `json:"thinking,omitempty"`
		Calls          []messages.ToolCall `json:"calls,omitempty"`
		Finish         providers.Finish    `json:"finish,omitempty"`
		Model          string              `json:"model,omitempty"`
		Usage          providers.Usage     `json:"usage,omitzero"`
		Window, Widest int                 `json:",omitempty"`
		Notices        []string            `json:"notices,omitempty"`
		Torn           bool                `json:"torn,omitempty"`
	}{reply.Text, reply.Thinking, reply.Calls, reply.Finish, reply.Model, reply.Usage, reply.Window, reply.Widest, reply.Notices, reply.Torn})
	return strings.Join(append(lines, string(shown)), "\n") + late, errors.Join(err, failed)
}
