package main

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
)

// jargon matches words of libraries that users do not know: names of Go types and functions, system
// calls, paths in a schema, and HTML pages.
var jargon = regexp.MustCompile(`strconv\.|cannot unmarshal|unexpected end of JSON|invalid character|\bGo (struct|value)|reflect|\bdial (tcp|udp|unix)|\blookup \S+ on |context (deadline exceeded|canceled)|net/http:|\b(l?stat|open|openat|mkdirat|readlink|unlinkat|fork/exec) \S+: |has type "|does not equal any of|validating /|missing properties|<nil>|%!|map\[|parsing time|(?i)<html|</`)

// forPeople fails if an error of a tool is not understandable for a user.
func forPeople(t *testing.T, of string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	said := messages.ForPeople(err.Error())
	if found := jargon.FindString(said); found != "" {
		t.Errorf("%s says %q in: %.400s", of, found, said)
	}
	if strings.Contains(said, "the user ") {
		t.Errorf("%s speaks to a model: %.400s", of, said)
	}
}

// Values that no argument should have.
var absurd = []any{
	"", "abc", "{", "-99999999999999999999", "1.5", "1e999", "../../../etc/nowhere", "/nowhere/at/all", "http://127.0.0.1:1/x", strings.Repeat("x", 300), "[1,", "\a\ufffd",
	-7, 1e30, true, nil,
	[]any{},
	[]any{map[string]any{}},
	[]any{nil},
	map[string]any{"a": 1},
}

func TestEveryErrorOfBadArgumentsIsForUsers(t *testing.T) {
	t.Parallel() // most of it is politeness: pauses between requests
	b := newBench(t)
	b.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	online := 5 // values for each argument of an online tool, because requests to services are a second apart
	if testing.Short() {
		online = 1
	}
	for _, tool := range b.registry.All() {
		for name := range schemaOf(t, tool).Properties {
			for i, value := range absurd {
				if i >= online && tool.Pool == tools.Net && name != "url" {
					break
				}
				if tool.Name == "run_command" && name == "command" || tool.Name == "blender_execute_code" {
					continue // what a command prints is not ours to word
				}
				_, err := b.call(t.Context(), t, tool, map[string]any{name: value})
				encoded, _ := json.Marshal(value)
				forPeople(t, tool.Name+" "+name+"="+string(encoded[:min(len(encoded), 60)]), err)
			}
		}
	}
}

func TestEveryErrorOfAServiceIsForUsers(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"a page": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "<html><body>Log in</body></html>")
		},
		"half":    func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"results":[{"title":"`) },
		"nothing": func(http.ResponseWriter, *http.Request) {},
		"a page with a status": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<html><h1>Bad gateway</h1></html>", http.StatusBadGateway)
		},
		"a cut connection": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a cut answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "{")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of it is politeness: pauses between requests
			b := newBench(t)
			b.answers(answer)
			for _, tool := range b.registry.All() {
				_, err := b.call(t.Context(), t, tool, nil)
				forPeople(t, tool.Name, err)
			}
		})
	}
}
