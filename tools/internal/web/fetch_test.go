package web

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const asked = "https://api.example/v1/thing?q=x&api_key=S3cr3t%2Bkey"

func TestGetJSON(t *testing.T) {
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		_, _ = io.WriteString(packed, `{"accept": "`+r.Header.Get("Accept")+`", "q": "`+r.FormValue("q")+`"}`)
		packed.Close()
	}, "api.example")
	var got map[string]string
	if err := GetJSON(t.Context(), client, asked, 1000, &got); err != nil || got["q"] != "x" || got["accept"] != "application/json" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestPostForm(t *testing.T) {
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Method+" "+r.PostFormValue("data"))
	}, "api.example")
	got, err := PostForm(t.Context(), client, asked, url.Values{"data": {"a&b=é"}}, 1000)
	if err != nil || string(got) != "POST a&b=é" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err = PostForm(t.Context(), client, asked, url.Values{"data": {strings.Repeat("x", 1000)}}, 1000); err == nil || strings.Contains(err.Error(), "S3cr3t") {
		t.Errorf("an answer that is too long: %v", err)
	}
}

// Each error names the host, the problem and the next step, and contains no key.
func TestGetJSONErrors(t *testing.T) {
	answer := func(status int, header, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if header != "" {
				w.Header().Set("Retry-After", header)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"not found": {answer(404, "", `{"message":"not found"}`), "api.example answered 404 Not Found (not found); the requested data does not exist"},
		"key":       {answer(401, "", `{"error":"bad key S3cr3t+key (S3cr3t%2Bkey)"}`), "api.example answered 401 Unauthorized (bad key ‹key› (‹key›)); the key for this service may be missing or rejected"},
		"busy":      {answer(429, "7", ``), "api.example answered 429 Too Many Requests; the service accepts no requests for now; try again after 7 (seconds, or a date)"},
		"down":      {answer(503, "", "<html><h1>Oops</h1>"), "api.example answered 503 Service Unavailable; the service has a problem; try again later"},
		"nested":    {answer(403, "", `{"error": {"code": 403, "message": "no such project", "status": "PERMISSION_DENIED"}}`), "api.example answered 403 Forbidden (no such project); the key for this service may be missing or rejected"},
		"reason":    {answer(400, "", `{"error": true, "reason": "Latitude must be in range"}`), "api.example answered 400 Bad Request (Latitude must be in range); check the request"},
		"wordy":     {answer(400, "", strings.Repeat("é\n", 3000)), "api.example answered 400 Bad Request (" + strings.Repeat("é ", 100) + "…); check the request"},
		"page":      {answer(200, "", "<html>Log in S3cr3t+key"), `api.example did not answer with the expected JSON: a page for browsers; the service may have changed, or a login page may have answered`},
		"long":      {answer(200, "", strings.Repeat(" ", 2000)), "api.example answered with more than 1000 bytes; ask for less"},
		"broken":    {func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, "cannot reach api.example: the connection ended without an answer; check the network connection, or try again later"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "ftp://a/?token=S3cr3t", http.StatusFound)
		}, `api.example: not allowed: only http and https URLs can be fetched, not "ftp"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, client := serve(t, test.handler, "api.example")
			var value any
			err := GetJSON(t.Context(), client, asked, 1000, &value)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A service may repeat the headers of the request.
func TestKeysInHeadersAreNotRepeated(t *testing.T) {
	for name, value := range map[string]string{"Authorization": "Bearer S3cr3t/+", "X-Webapi-Key": "S3cr3t/+"} {
		_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error_message":"no such user: ` + r.Header.Get(name) + `"}`))
		}, "api.example")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://api.example/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(name, value)
		var answer any
		err = AskJSON(client, request, 1000, &answer)
		if err == nil || !strings.Contains(err.Error(), "‹key›") || strings.Contains(err.Error(), "S3cr3t") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGzipBombIsNotUnpacked(t *testing.T) {
	_, client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		zeros := make([]byte, 1<<20)
		for range 2000 { // 2 GB, unless the reader closes the connection
			if _, err := packed.Write(zeros); err != nil {
				return
			}
		}
	}, "api.example")
	var value any
	if err := GetJSON(t.Context(), client, asked, 64<<10, &value); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Errorf("got %v", err)
	}
}

func TestUnreachableHostsAreExplainedWithoutTheKey(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close() // no listener remains
	client := newClient(map[string]string{"api.example": "http://" + address}, noProxy, UserAgent{})
	defer client.CloseIdleConnections()
	var value any
	err = GetJSON(t.Context(), client, asked, 1000, &value)
	if err == nil || !strings.Contains(err.Error(), "cannot reach api.example") || strings.Contains(err.Error(), "S3cr3t") {
		t.Errorf("got %v", err)
	}
	err = GetJSON(t.Context(), client, "https://api.example/\x7f?key=S3cr3t", 1000, &value)
	if err == nil || strings.Contains(err.Error(), "S3cr3t") {
		t.Errorf("got %v", err)
	}
}

func TestCancelledRequestsSayWhy(t *testing.T) {
	release := make(chan struct{})
	_, client := serve(t, func(http.ResponseWriter, *http.Request) { <-release }, "api.example")
	defer close(release)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the turn was cancelled")
	cancel(why)
	var value any
	if err := GetJSON(ctx, client, asked, 1000, &value); !errors.Is(err, why) || !strings.Contains(err.Error(), "api.example did not answer") {
		t.Errorf("got %v", err)
	}
}
