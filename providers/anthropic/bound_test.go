package anthropic_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/anthropic"
	"marvin/providers/modeltest"
)

// After old results were removed, the server refuses the reasoning after them (wording from
// platform.claude.com/docs, preserved-thinking/fix-bound-to-a-different-conversation, read
// 2026-11). One more request asks it to drop reasoning that no longer fits, and so do all later
// ones. The model keeps reasoning and keeps the parts that fit.
func TestThoughtsBoundToOtherWordsAreDropped(t *testing.T) {
	const refusal = "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \\\"drop_block\\\"."
	for effort, want := range map[providers.Effort]string{
		"":             `"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}}`,
		providers.High: `"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}},"output_config":{"effort":"high"}`,
	} {
		t.Run(string(effort), func(t *testing.T) {
			strict := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if request.N > 0 && !bytes.Contains(request.Raw, []byte("drop_block")) {
					return modeltest.Status(400, `{"type":"error","error":{"type":"invalid_request_error","message":"`+refusal+`"}}`)
				}
				return modeltest.Think("so it is").Append(modeltest.Text("ok"))
			})
			var betas []string
			front := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, request *http.Request) {
				betas = append(betas, request.Header.Get("anthropic-beta"))
				strict.ServeHTTP(to, request)
			}))
			defer front.Close()
			model := anthropic.New(anthropic.Config{Provider: "claude", BaseURL: front.URL + "/v1", Key: "k", Model: "claude-opus-5-5", HTTP: &http.Client{Transport: &http.Transport{}}, About: providers.About{Most: 9000}})
			defer model.Close()
			asked := question("hi")
			asked.Effort = effort
			for range 3 {
				reply, _, err := ask(t, model, asked)
				if err != nil || reply.Text != "ok" {
					t.Fatalf("%+v, %v", reply, err)
				}
				asked.Messages = append(asked.Messages, messages.Message{Role: messages.Assistant, Text: reply.Text, Thinking: reply.Thinking}, messages.Message{Role: messages.User, Text: "go on"})
			}
			requests := strict.Requests()
			if len(requests) != 4 || betas[0] != "" || betas[1] != "" || betas[2] != "thinking-binding-controls-2026-08-01" || betas[3] != betas[2] {
				t.Fatalf("%d requests with the betas %q", len(requests), betas)
			}
			for _, request := range requests[2:] {
				if !bytes.Contains(request.Raw, []byte(want)) || !bytes.Contains(request.Raw, []byte(`"thinking":"so it is"`)) {
					t.Errorf("asked %s", request.Raw)
				}
			}
		})
	}
}
