package web

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestGetKeepsTheBeginningAndSaysWhereItWas(t *testing.T) {
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=x")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, strings.Repeat("a", 50)+r.Header.Get("Accept"))
	}, "news.example")
	page, err := Get(t.Context(), client, "https://news.example/old", 60)
	if err != nil || string(page.Body) != strings.Repeat("a", 50)+"text/html," || !page.Cut ||
		page.URL.String() != "https://news.example/new" || page.Status != 202 || page.Kind != "text/plain; charset=x" {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestGetErrors(t *testing.T) {
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cut" {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "x")
			return
		}
		w.WriteHeader(http.StatusGone)
	}, "news.example")
	_, err := Get(t.Context(), client, "https://news.example/gone?token=S3cr3t", 60)
	var status *StatusError
	if !errors.As(err, &status) || status.Status != http.StatusGone || strings.Contains(err.Error(), "S3cr3t") {
		t.Errorf("gone: %v", err)
	}
	for address, want := range map[string]string{
		"https://news.example/cut": "cannot reach news.example: the connection ended in the middle of the answer",
		"http://127.0.0.1:1/":      "not a public address",
		"file:///etc/passwd":       "only http and https",
		"http://a b/":              "not a valid URL",
	} {
		if _, err := Get(t.Context(), client, address, 60); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
