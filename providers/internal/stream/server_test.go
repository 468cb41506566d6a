package stream_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// lines is an answer that stores the events; "end" ends it, and "?" cannot be read.
type lines []string

func (l *lines) Release()     {}
func (l *lines) Settle()      {}
func (l *lines) Called() bool { return false }
func (l *lines) Heard() int   { return len(*l) }
func (l *lines) Begun() bool  { return len(*l) > 0 }
func (l *lines) Whole() bool  { return strings.Contains(strings.Join(*l, " "), "whole") }
func (l *lines) Ended() bool  { return strings.Contains(strings.Join(*l, " "), "end") }

func (l *lines) Take(data []byte) error {
	if string(data) == "?" {
		return stream.ErrBroken
	}
	*l = append(*l, string(data))
	return nil
}

func (l *lines) TakeWhole(data []byte) error {
	if strings.HasPrefix(string(data), "{") {
		*l = append(*l, "whole "+string(data))
	}
	return nil
}

// ask returns the stored events in one line.
func ask(ctx context.Context, address string, client *http.Client) (string, error) {
	server := stream.NewServer("mine", address, "/messages", client)
	defer func() { _ = server.Close() }()
	var got lines
	err := server.Ask(ctx, "the-key", http.Header{"X-Key": {"the-key"}}, []byte("{}"), &got)
	return strings.Join(got, " "), err
}

func TestAnAnswerIsReadUntilItEnds(t *testing.T) {
	for events, test := range map[string]struct {
		took string
		want error
	}{
		"one|end|more":                    {"one end", nil},
		"one|?|end":                       {"one end", nil},
		"one|whole":                       {"one whole", nil}, // even if the connection breaks
		"one":                             {"one", providers.ErrCut},
		"":                                {"", providers.ErrMalformed},
		strings.Repeat("?|", 21) + "end":  {"", providers.ErrMalformed},
		strings.Repeat("x", 20<<20) + "|": {"", providers.ErrTooMuch},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/messages" || r.Header.Get("X-Key") != "the-key" || r.Header.Get("Accept") != "text/event-stream" {
				t.Errorf("%s %v", r.URL, r.Header)
			}
			for _, event := range strings.Split(events, "|") {
				if event != "" {
					_, _ = fmt.Fprintf(w, "data: %s\n\n", event)
				}
			}
		}))
		for _, address := range []string{server.URL + "/v1", server.URL + "/v1/", server.URL + "/v1/messages"} {
			if took, err := ask(t.Context(), address, server.Client()); took != test.took || !errors.Is(err, test.want) {
				t.Errorf("%.40q at %s: took %q, %v", events, address, took, err)
			}
		}
		server.Close()
	}
}

func TestAKeyDoesNotFollowARedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	var status *providers.StatusError
	if _, err := ask(t.Context(), server.URL, server.Client()); !errors.As(err, &status) || status.Status != http.StatusTemporaryRedirect {
		t.Errorf("%v", err)
	}
}

func TestInvalidServerAddress(t *testing.T) {
	for _, address := range []string{"", "localhost:1", "ftp://x", "http://", "::"} {
		if _, err := ask(t.Context(), address, http.DefaultClient); err == nil || !strings.Contains(err.Error(), "begin it with http:// or https://") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestACancelTellsItsCause(t *testing.T) {
	why := errors.New("the person pressed Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, "data: one\n\n")
		w.(http.Flusher).Flush()
		cancel(why)
		<-r.Context().Done()
	}))
	defer server.Close()
	if _, err := ask(ctx, server.URL, server.Client()); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
}
