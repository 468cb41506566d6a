package openaichat_test

import (
	"net/http"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
)

// DeepSeek requires the reasoning of each answer, even of answers by other models. Other servers
// get it only if they asked for it, and never the reasoning of another model. The texts are
// DeepSeek's (continuedev/continue#9831, netease-youdao/LobsterAI#1819) and one like Moonshot's.
func TestThinkingIsSentBackOnRequest(t *testing.T) {
	for _, test := range []struct{ provider, model, refusal string }{
		{"deepseek", "deepseek-v4-flash", ""},
		{"mine", "deepseek-chat", "The `reasoning_content` in the thinking mode must be passed back to the API."},
		{"moonshot", "kimi-k2.5", "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"},
		{"groq", "openai/gpt-oss-120b", ""},
	} {
		t.Run(test.provider, func(t *testing.T) {
			wants := test.provider != "groq"
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if wants && !strings.Contains(string(request.Raw), `"reasoning_content"`) {
					return modeltest.Status(400, `{"error":{"message":"`+test.refusal+`","type":"invalid_request_error"}}`)
				}
				return modeltest.Text("ok")
			})
			model := openaichat.New(openaichat.Config{Provider: test.provider, BaseURL: server.URL + "/v1", Key: "k", Model: test.model, HTTP: &http.Client{Transport: &http.Transport{}}})
			defer model.Close()
			asked := providers.Question{Tools: []providers.ToolSpec{{Name: "look"}}, Messages: []messages.Message{
				{Role: messages.User, Text: "look"},
				{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "1", Name: "look", Args: []byte("{}")}}, Thinking: []messages.Thought{{Text: "I look", Origin: test.provider + "/" + test.model}}},
				{Role: messages.Tool, Result: messages.ToolResult{Call: "1", Name: "look", Text: "seen"}},
				{Role: messages.Assistant, Text: "a dot", Thinking: []messages.Thought{{Text: "a secret of another", Origin: "other/model"}}},
				{Role: messages.User, Text: "go on"},
			}}
			for range 2 {
				if reply, err := model.Respond(t.Context(), asked, func(providers.Part) {}); err != nil || reply.Text != "ok" {
					t.Fatalf("%+v, %v", reply, err)
				}
			}
			requests := server.Requests()
			last := string(requests[len(requests)-1].Raw)
			if strings.Contains(last, `"reasoning_content":"I look"`) != wants || strings.Contains(last, `"reasoning_content":""`) != wants || strings.Contains(last, "a secret") {
				t.Errorf("%s", last)
			}
			if want := map[bool]int{true: 3, false: 2}[test.refusal != ""]; len(requests) != want {
				t.Errorf("%d requests for two answers, not %d", len(requests), want)
			}
		})
	}
}

// Mistral's reasoning models send an answer as a list of parts: first reasoning, then both where
// one ends and the other begins, then plain text.
func TestThoughtsInTheListOfPartsAreNoWords(t *testing.T) {
	event := func(content string) modeltest.Step {
		return modeltest.Raw(`{"choices":[{"index":0,"delta":{"content":` + content + `},"finish_reason":null}]}`)
	}
	server := modeltest.Start(t, event(`[{"type":"thinking","thinking":[{"type":"text","text":"so "}]}]`).Append(
		event(`[{"type":"thinking","thinking":[{"type":"text","text":"it is"}],"closed":true},{"type":"text","text":"A "}]`), event(`"dot."`)))
	var got parts
	reply, err := model(t, server).Respond(t.Context(), question("hi"), got.emit)
	if err != nil || reply.Text != "A dot." || got.thinking.String() != "so it is" {
		t.Errorf("%+v, thought %q, %v", reply, got.thinking.String(), err)
	}
}
