package stream_test

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

func TestPiecesKeepTheirOrder(t *testing.T) {
	var told []string
	pieces := stream.Pieces{To: func(part providers.Part) { told = append(told, fmt.Sprintf("%d %s", part.Kind, part.Text)) }}
	pieces.Release()
	pieces.Say(providers.TextPart, "a")
	pieces.Say(providers.TextPart, "b")
	pieces.Say(providers.ThinkingPart, "c")
	pieces.Say(providers.TextPart, "")
	pieces.Emit(providers.Part{Kind: providers.CallingPart, Text: "look"})
	pieces.Say(providers.TextPart, "d")
	if got := strings.Join(told, "|"); got != "0 ab|1 c|2 look" {
		t.Errorf("passed on: %s", got)
	}
	pieces.Release()
	pieces.Release()
	if got := strings.Join(told, "|"); got != "0 ab|1 c|2 look|0 d" {
		t.Errorf("passed on: %s", got)
	}
}

func TestABodyThatIsNoStream(t *testing.T) {
	for _, row := range []struct {
		kind, body, told string
		whole            bool
	}{
		{"text/event-stream", "data: x", "text/event-stream", false},
		{"application/json; charset=utf-8", "data: x", "application/json", false},
		{"text/event-stream", "{}", "text/event-stream", true},
		{"text/event-stream", "event: x", "text/event-stream", false},
		{"", ": ping", "", false},
		{"", "id: 1", "", false},
		{"", "retry: 1", "", false},
		{"", "\xef\xbb\xbfdata: x", "", false},
		{"", "[1]", "", true},
		{"application/json", " \n", "application/json", true},
		{"application/problem+json", "", "application/problem+json", true},
		{"text/html", "", "text/html", true},
		{"text/plain", "", "text/plain", false},
		{"text/plain", "  data: x", "text/plain", false},
		{"text/html", "<p>", "text/html", true},
	} {
		kind, whole := stream.WholeBody(http.Header{"Content-Type": {row.kind}}, bufio.NewReader(strings.NewReader(row.body)))
		if kind != row.told || whole != row.whole {
			t.Errorf("%s %q: %s, %t", row.kind, row.body, kind, whole)
		}
	}
}

// Three statuses mean that a server refuses the form of a question.
func TestRefusalStatuses(t *testing.T) {
	for status, want := range map[int]bool{400: true, 404: true, 422: true, 401: false, 403: false, 429: false, 500: false} {
		message, ok := stream.Refused(fmt.Errorf("x: %w", &providers.StatusError{Status: status, Message: "No SUCH field"}))
		if ok != want || ok && message != "no such field" || !ok && message != "" {
			t.Errorf("%d: %q, %t", status, message, ok)
		}
	}
	if _, ok := stream.Refused(errors.New("x")); ok {
		t.Error("an error of ours is a refusal")
	}
}

// Each way in which an answer can end, with its error.
func TestAnswerEnds(t *testing.T) {
	for _, row := range []struct {
		status       int
		kind, body   string
		took, failed string
		is           error
	}{
		{200, "", "data: a\n\ndata: end\n\ndata: b\n\n", "a end", "", nil},
		{200, "", "data: a\n\ndata: whole\n\n", "a whole", "", nil},
		{200, "", "data: a\n\n", "a", "the answer was cut off: mine ended the stream without saying that it is complete", providers.ErrCut},
		{200, "", "", "", "Marvin cannot read the server's answer: mine sent no answer; check the server's address", providers.ErrMalformed},
		{200, "", ": ping\n\n", "", "Marvin cannot read the server's answer: mine sent no answer; check the server's address", providers.ErrMalformed},
		{200, "", strings.Repeat("data: ?\n\n", 3) + "data: end\n\n", "end", "", nil},
		{200, "", strings.Repeat("data: ?\n\n", 100), "", "Marvin cannot read the server's answer: some events from mine are malformed", providers.ErrMalformed},
		{200, "application/json", "{1}", "whole {1}", "", nil},
		{200, "application/json", " ", "", "Marvin cannot read the server's answer: mine sent no answer; check the server's address", providers.ErrMalformed},
		{200, "text/html", "<p>Log in</p>", "", "Marvin cannot read the server's answer: mine answered text/html instead of a stream of events: Log in; check the server's address", providers.ErrMalformed},
		{201, "", "data: end\n\n", "", "mine answered 201: data: end", nil},
		{500, "", "the-key is wrong", "", "mine answered 500: the-key is wrong", nil},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Key") != "the-key" || r.Header.Get("Accept") != "text/event-stream" || r.Header.Get("Content-Type") != "application/json" || r.URL.Path != "/messages" {
				t.Errorf("asked %s with %v", r.URL, r.Header)
			}
			w.Header().Set("Content-Type", row.kind)
			w.WriteHeader(row.status)
			fmt.Fprint(w, row.body)
		}))
		took, err := ask(t.Context(), server.URL, &http.Client{})
		server.Close()
		told := ""
		if err != nil {
			told = err.Error()
		}
		if took != row.took || told != row.failed || row.is != nil && !errors.Is(err, row.is) {
			t.Errorf("%d %s %.30q: took %q, %s", row.status, row.kind, row.body, took, told)
		}
	}
}
