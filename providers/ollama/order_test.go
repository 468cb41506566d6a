package ollama_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/ollama"
)

func TestLinesThatComeAtOnceKeepTheirOrder(t *testing.T) {
	line := func(message string) string {
		return `{"model":"m","created_at":"2026-11-20T10:00:00Z","message":{"role":"assistant",` + message + `},"done":false}` + "\n"
	}
	long := strings.Repeat("x", 200_000)
	all := line(`"content":"one "`) + line(`"content":"","tool_calls":[{"function":{"name":"look","arguments":{}}}]`) + line(`"content":"two "`) +
		line(`"content":"`+long+`"`) + line(`"content":"\u003cthree\u003e "`) + line(`"content":"four"`) + line(`"content":"","thinking":"hm"`) +
		`{"model":"m","created_at":"2026-11-20T10:00:00Z","message":{"role":"assistant","content":"!"},"done":true,"done_reason":"stop","eval_count":1}`
	model := ollama.New(ollama.Config{URL: "http://ollama.test", Model: "m", HTTP: &http.Client{Transport: body(all)}})
	defer model.Close()
	var parts strings.Builder
	kind := providers.NoticePart
	reply, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hi"}}}, func(part providers.Part) {
		if part.Kind != kind {
			kind = part.Kind
			fmt.Fprintf(&parts, "|%d:", kind)
		}
		parts.WriteString(part.Text)
	})
	text := "one two " + long + "<three> four!"
	if err != nil || reply.Text != text || reply.Model != "m" || len(reply.Calls) != 1 || reply.Usage.Output != 1 {
		t.Errorf("%.300v, %v", reply, err)
	}
	want := fmt.Sprintf("|0:one |2:look|0:two %s<three> four|1:hm|0:!", long)
	if parts.String() != want {
		t.Errorf("emitted %s", strings.ReplaceAll(parts.String(), long, "LONG"))
	}
}
