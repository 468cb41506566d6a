// Package toolstest provides simulated services and other helpers for tests of tools.
package toolstest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/tools"
)

// Client starts a test server for each host in the map. The returned client sends the requests for
// a host to that host's test server.
func Client(t *testing.T, services map[string]http.HandlerFunc) *http.Client {
	t.Helper()
	hosts := map[string]string{}
	for host, handler := range services {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		hosts[host] = server.URL
	}
	client := tools.NewHTTPClient(hosts)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// AnswerPaths returns a handler that answers each request with the text for the requested path. The
// keys of the map are paths. A key with a query matches only requests with the same query. A
// request that matches no key fails the test.
func AnswerPaths(t *testing.T, byPath map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, ok := byPath[r.URL.RequestURI()]
		if !ok {
			answer, ok = byPath[r.URL.Path]
		}
		if !ok {
			t.Errorf("asked for %s", r.URL.RequestURI())
			w.WriteHeader(http.StatusTeapot)
			return
		}
		_, _ = io.WriteString(w, answer)
	}
}

// Status returns a handler that answers every request with the same status code and body.
func Status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// Env returns an environment for calls, with a temporary home directory and the variables in
// environ.
func Env(t *testing.T, environ ...string) tools.Env {
	t.Helper()
	return tools.Env{
		Home: t.TempDir(), Environ: environ, Room: 100_000, Seen: &tools.Stamps{}, Progress: func(string) {},
		Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) },
	}
}

// Call decodes args and runs the tool with the given name. It returns the text of the tool's
// output.
func Call(t *testing.T, list []tools.Tool, env tools.Env, name, args string) (string, error) {
	t.Helper()
	for _, tool := range list {
		if tool.Name != name {
			continue
		}
		decoded, err := tool.Decode(json.RawMessage(args))
		if err != nil {
			return "", err
		}
		output, err := decoded.Run(t.Context(), env)
		return output.Text, err
	}
	t.Fatalf("there is no tool %s", name)
	return "", nil
}

// CheckParts makes the test fail if the text lacks a wanted part. It reports each missing part.
func CheckParts(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

// CheckError makes the test fail if err is nil or if the text of err lacks one of the wanted parts.
func CheckError(t *testing.T, err error, wanted ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want %q", wanted)
		return
	}
	CheckParts(t, err.Error(), wanted...)
}

// CheckFaults tests a function against a service that fails in several ways. In each case, the
// function must return an error that says what to do next, in at most 1500 bytes.
func CheckFaults(t *testing.T, host string, call func(*http.Client) (string, error)) {
	t.Helper()
	next := regexp.MustCompile(`later|again|check|less|shorter|changed|minute|pause`)
	for name, handler := range map[string]http.HandlerFunc{
		"rate limit":  Status(http.StatusTooManyRequests, `{"message":"slow down"}`),
		"unavailable": Status(http.StatusServiceUnavailable, "busy"),
		"error page":  Status(http.StatusInternalServerError, "<html><body>"+strings.Repeat("oops ", 5000)),
		"cut off":     Status(http.StatusOK, `{"items": [{"name": "x`),
		"login page":  Status(http.StatusOK, "<html><title>Sign in</title></html>"),
		"wrong shape": Status(http.StatusOK, `"text"`),
		"huge": func(w http.ResponseWriter, _ *http.Request) {
			blanks := []byte(strings.Repeat(" ", 1<<20))
			for range 200 {
				if _, err := w.Write(blanks); err != nil {
					return
				}
			}
		},
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			text, err := call(Client(t, map[string]http.HandlerFunc{host: handler}))
			if err == nil {
				t.Fatalf("no error but: %s", text)
			}
			if !next.MatchString(err.Error()) || len(err.Error()) > 1500 {
				t.Errorf("got %q", err)
			}
		})
	}
}
