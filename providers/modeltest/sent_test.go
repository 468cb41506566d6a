package modeltest_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/providers"
	"marvin/providers/modeltest"
)

// conversations are questions of all kinds, from an empty one to one with everything.
func conversations(t *testing.T) map[string]providers.Question {
	t.Helper()
	look := providers.ToolSpec{Name: "look", Doc: "Looks.", Schema: []byte(`{"type":"object","properties":{"at":{"type":"string"}}}`)}
	user := func(text string, pictures ...messages.Picture) messages.Message {
		return messages.Message{Role: messages.User, Text: text, Pictures: pictures}
	}
	called := func(id, args string) messages.ToolCall {
		return messages.ToolCall{ID: id, Name: "look", Args: []byte(args)}
	}
	result := func(id, text string, status messages.Status, pictures ...messages.Picture) messages.Message {
		return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: "look", Text: text, Status: status, Pictures: pictures}}
	}
	picture, left := drawing(t), messages.Picture{Type: "image/png", Note: "too large", Name: "big.png"}
	return map[string]providers.Question{
		"1 plain":      {Messages: []messages.Message{user("hi")}},
		"2 with tools": {System: "Be brief.", Messages: []messages.Message{user("hi")}, Tools: []providers.ToolSpec{look, {Name: "bare"}}},
		"3 calls": {System: "Be brief.", Tools: []providers.ToolSpec{look}, Messages: []messages.Message{
			user("look twice"),
			{Role: messages.Assistant, Text: "I look.", Calls: []messages.ToolCall{called("a", `{"at":"<x>"}`), called("b", ``), called("", `{}`)}},
			result("a", "seen", messages.OK), result("b", "", messages.ToolError), result("", "late", messages.Interrupted), user("and?"), user("quick"),
		}},
		"4 pictures": {Tools: []providers.ToolSpec{look}, Messages: []messages.Message{
			user("what is it", picture, left),
			{Role: messages.Assistant, Text: "A dot.", Calls: []messages.ToolCall{called("a", `{}`)}},
			result("a", "here", messages.OK, picture, left),
			{Role: messages.Assistant, Text: ""},
			user("", picture),
		}},
		"6 a thought at the end": {Messages: []messages.Message{
			user("think"), {Role: messages.Assistant, Text: "said", Thinking: []messages.Thought{{Text: "a", Opaque: `{"type":"reasoning","id":"r1"}`, Origin: "ORIGIN", Offset: 4}, {Text: "b", Opaque: `{"type":"reasoning","id":"r2"}`, Origin: "ORIGIN", Offset: 9}}}, user("more"),
		}},
		"5 thoughts": {Tools: []providers.ToolSpec{look}, Messages: []messages.Message{
			user("think"),
			{Role: messages.Assistant, Text: "before and after", Thinking: []messages.Thought{
				{Text: "first", Opaque: `{"type":"reasoning","id":"r1","encrypted_content":"e"}`, Origin: "ORIGIN"},
				{Text: "in between", Opaque: `{"type":"reasoning","id":"r2"}`, Origin: "ORIGIN", Offset: 6},
				{Text: "of another", Opaque: "x", Origin: "else/model"},
				{Text: "beyond", Origin: "ORIGIN", Opaque: `{"type":"reasoning","id":"r3"}`, Offset: 99},
			}, Calls: []messages.ToolCall{{ID: "a", Name: "look", Args: []byte(`{}`), Opaque: []byte(`"o"`), Origin: "ORIGIN"}, {ID: "b", Name: "look", Args: []byte(`{}`), Opaque: []byte(`"o"`), Origin: "else/model"}}},
			result("a", "one", messages.OK), result("b", "two", messages.OK),
		}},
	}
}

func TestClientRequests(t *testing.T) {
	var lines []string
	asked := conversations(t)
	for _, wire := range append(wires, deepSeek) {
		for _, model := range []string{"claude-opus-4-6", "claude-sonnet-3", "gpt-5.2", "gpt-4o", "qwen3"} {
			for _, name := range []string{"1 plain", "2 with tools", "3 calls", "4 pictures", "5 thoughts", "6 a thought at the end"} {
				for _, effort := range []providers.Effort{"", providers.Low, providers.Max} {
					if effort != "" && name != "1 plain" {
						continue
					}
					var bodies []string
					server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, request *http.Request) {
						body, _ := io.ReadAll(request.Body)
						bodies = append(bodies, request.URL.Path+" "+strings.TrimSpace(string(body)))
						if name == "4 pictures" {
							http.Error(to, `{"error":{"message":"this model does not support image input"}}`, http.StatusBadRequest)
							return
						}
						http.Error(to, `{"error":{"message":"no"}}`, http.StatusBadRequest)
					}))
					made := client(t, wire, &modeltest.Server{URL: server.URL}, model, providers.About{})
					question := asked[name]
					question.Effort = effort
					question.Messages = append([]messages.Message(nil), question.Messages...)
					for i := range question.Messages {
						question.Messages[i] = thoughtBy(question.Messages[i], wire, model)
					}
					_, err := made.Respond(t.Context(), question, func(providers.Part) {})
					line := fmt.Sprintf("%s %s %s %s", wire, model, name, effort)
					server.Close()
					for _, body := range bodies {
						line += " => " + body
					}
					line += " => " + err.Error()
					lines = append(lines, strings.ReplaceAll(line, base64.StdEncoding.EncodeToString(drawing(t).Data), "DOT"))
				}
			}
		}
	}
	sameAsBefore(t, "sent.golden", lines)
}

// thoughtBy makes the asked model the origin of the reasoning.
func thoughtBy(message messages.Message, wire modeltest.Wire, model string) messages.Message {
	origin := map[modeltest.Wire]string{modeltest.OpenAI: "chat/", modeltest.Ollama: "ollama/", modeltest.Anthropic: "claude/", modeltest.Responses: "gpt/", deepSeek: "deepseek/"}[wire] + model
	message.Thinking = append([]messages.Thought(nil), message.Thinking...)
	for i := range message.Thinking {
		message.Thinking[i].Origin = strings.ReplaceAll(message.Thinking[i].Origin, "ORIGIN", origin)
	}
	message.Calls = append([]messages.ToolCall(nil), message.Calls...)
	for i := range message.Calls {
		message.Calls[i].Origin = strings.ReplaceAll(message.Calls[i].Origin, "ORIGIN", origin)
	}
	return message
}

// The golden file has the error of each client for each refusal.
func TestRefusalMessages(t *testing.T) {
	var lines []string
	for _, wire := range wires {
		for _, status := range []int{400, 401, 404, 413, 429, 500} {
			for _, body := range []string{
				"", "broken", `{"error":"in words"}`, `{"error":{"message":"told","type":"kind","code":"c"}}`, `{"message":"plain"}`, `[{"error":{"message":"in a list"}}]`,
				`<html><title>Bad Gateway</title><body>sorry</body></html>`, `{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}`, `{"error":{"message":"model \"x\" not found"}}`,
				`{"error":{"message":"` + strings.Repeat("long ", 400) + `"}}`, "\x1b[31mred",
			} {
				if status != 400 && body != "" && !strings.Contains(body, "told") {
					continue // only the status matters
				}
				server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Status(status, body, "Retry-After", "7") })
				_, err := client(t, wire, server, "test-model", providers.About{}).Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hi"}}}, func(providers.Part) {})
				shown := strings.ReplaceAll(body, strings.Repeat("long ", 400), "LONG")
				lines = append(lines, fmt.Sprintf("%s %d %q => %s", wire, status, shown, strings.NewReplacer("\n", `\n`, server.URL, "URL", strings.Repeat("long ", 20), "(long)").Replace(fmt.Sprint(err))))
			}
		}
	}
	sameAsBefore(t, "refusals.golden", lines)
}

// sameAsBefore compares lines with a golden file, or updates the file.
func sameAsBefore(t *testing.T, name string, lines []string) {
	t.Helper()
	goldentest.Assert(t, name, strings.Join(lines, "\n")+"\n", os.Getenv("UPDATE_GOLDEN") != "")
}
