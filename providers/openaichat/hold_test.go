package openaichat

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

func TestTokensThatComeTogetherPassTogether(t *testing.T) {
	shown := make(chan string)
	event := func(delta string) string { return `data: {"choices":[{"delta":{` + delta + `}}]}` + "\n\n" }
	server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, _ *http.Request) {
		to.Header().Set("Content-Type", "text/event-stream")
		send := func(text string, want ...string) {
			_, _ = io.WriteString(to, text)
			to.(http.Flusher).Flush()
			for _, part := range want {
				if got := <-shown; got != part {
					t.Errorf("behind %q came %q, not %q", text, got, part)
				}
			}
		}
		send(event(`"content":"one"`), "0 one")
		send(event(`"content":" two"`)+event(`"content":" three"`), "0  two three")
		send(event(`"reasoning_content":"hm"`)+event(`"content":" four"`), "1 hm", "0  four")
		send(event(`"content":" five"`)+event(`"tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":"{}"}}]`), "0  five", "2 f")
		send(strings.TrimSuffix(event(`"content":" six"`), "\n")) // its blank line comes later
		send("\n", "0  six")
		send(event(`"content":" seven"`)+`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`+"\n\n", "0  seven") // the usage comes later
		send("data: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	model := New(Config{Provider: "x", BaseURL: server.URL, Model: "m"})
	reply, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "count"}}}, func(part providers.Part) {
		shown <- fmt.Sprintf("%d %s", part.Kind, part.Text)
	})
	if err != nil || reply.Text != "one two three four five six seven" || len(reply.Calls) != 1 {
		t.Errorf("%+v, %v", reply, err)
	}
}

// The last tokens before a stream breaks are shown too.
func TestHeldTokensAreShownWhenStreamBreaks(t *testing.T) {
	var shown []string
	a := &answer{provider: "x", pieces: stream.Pieces{To: func(part providers.Part) { shown = append(shown, part.Text) }}}
	body := `data: {"choices":[{"delta":{"content":"a"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"content":"b"}}]}` + "\n\ndata: {\"error\":{\"message\":\"gone\"}}\n\n"
	err := a.read(t.Context(), &http.Response{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(body))}, func(error) {})
	if err == nil || !slices.Equal(shown, []string{"ab"}) || a.reply().Text != "ab" {
		t.Errorf("%q, %v", shown, err)
	}
}
