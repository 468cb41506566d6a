package ollama_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"marvin/providers"
	"marvin/providers/ollama"
)

// body is a transport whose every answer is one NDJSON text.
type body string

func (b body) RoundTrip(request *http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": {"application/x-ndjson"}}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(string(b))), Request: request}, nil
}

// Whatever a server sends, the answer ends with a complete reply or with an error, and the emitted
// text equals the reply's text.
func FuzzNDJSON(f *testing.F) {
	const line = `{"model":"m","created_at":"2026-11-20T10:00:00Z","message":{"role":"assistant","content":"hi"},"done":false}` + "\n"
	const last = `{"model":"m","created_at":"2026-11-20T10:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":1}` + "\n"
	f.Add(line + last)
	f.Add(line)
	f.Add(strings.ReplaceAll(line+last, "\n", "\r\n"))
	f.Add(`{"message":{"role":"assistant","tool_calls":[{"function":{"name":"tree","arguments":{"path":"."}}}]},"done":true}`)
	f.Add(`{"message":{"tool_calls":[{"function":{"name":"tree","arguments":"{\"path\":1}"}}]}}` + "\n" + last)
	f.Add(`{"error":"model not found"}` + "\n")
	f.Add("<html>busy</html>")
	f.Add(line + `{"message":{"content":"\ud800"}}` + "\n" + last)
	f.Fuzz(func(t *testing.T, stream string) {
		model := ollama.New(ollama.Config{URL: "http://ollama.test", Model: "m", HTTP: &http.Client{Transport: body(stream)}})
		defer model.Close()
		var emitted strings.Builder
		reply, err := model.Respond(t.Context(), question("hello"), func(part providers.Part) {
			if part.Kind == providers.TextPart {
				emitted.WriteString(part.Text)
			}
		})
		if err == nil && reply.Finish == providers.Cut {
			t.Fatal("an answer without an end is no error")
		}
		if emitted.String() != reply.Text || !utf8.ValidString(reply.Text) {
			t.Fatalf("emitted %q, reply %q", emitted.String(), reply.Text)
		}
		for _, call := range reply.Calls {
			if call.ID == "" {
				t.Fatalf("a call without an id: %+v", call)
			}
		}
	})
}
