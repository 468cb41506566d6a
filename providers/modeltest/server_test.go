package modeltest_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// post sends a body as it is and returns status and answer.
func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer test-key")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

const (
	openAIQuestion = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}`
	ollamaQuestion = `{"model":"m","messages":[{"role":"user","content":"hi"}],"options":{"num_ctx":32768}}`
)

func TestOneStepInBothProtocols(t *testing.T) {
	step := modeltest.Think("hm").Then(modeltest.Text("hello", " <world>")).With(modeltest.Tokens(12, 2, 3))
	server := modeltest.Start(t, step, step)

	_, events := post(t, server.URL+"/v1/chat/completions", openAIQuestion)
	for _, want := range []string{`"reasoning_content":"hm"`, `"content":" <world>"`, `"finish_reason":"stop"`, `"prompt_tokens":12`, `"cached_tokens":2`, "data: [DONE]\n\n"} {
		if !strings.Contains(events, want) {
			t.Errorf("no %s in\n%s", want, events)
		}
	}
	_, lines := post(t, server.URL+"/api/chat", ollamaQuestion)
	for _, want := range []string{`"thinking":"hm"`, `"content":" <world>"`, `"done":true`, `"done_reason":"stop"`, `"prompt_eval_count":12`} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %s in\n%s", want, lines)
		}
	}

	requests := server.Requests()
	if len(requests) != 2 || requests[0].Wire != modeltest.OpenAI || requests[1].NumCtx != 32768 || !requests[0].Usage {
		t.Errorf("requests: %+v", requests)
	}
	if last := requests[1].Last(); last.Role != messages.User || last.Text != "hi" {
		t.Errorf("last message: %+v", last)
	}
	if !bytes.Equal(requests[0].Raw, []byte(openAIQuestion)) {
		t.Errorf("raw: %s", requests[0].Raw)
	}
}

func TestCallsInBothProtocols(t *testing.T) {
	step := modeltest.Calls(modeltest.Call{Name: "look", Args: map[string]int{"n": 1}}, modeltest.Call{Name: "look"})
	server := modeltest.Start(t, step, step)
	_, events := post(t, server.URL+"/v1/chat/completions", openAIQuestion)
	for _, want := range []string{`"id":"call_0_0"`, `"id":"call_0_1"`, `"name":"look"`, `"finish_reason":"tool_calls"`} {
		if !strings.Contains(events, want) {
			t.Errorf("no %s in\n%s", want, events)
		}
	}
	_, lines := post(t, server.URL+"/api/chat", ollamaQuestion)
	if !strings.Contains(lines, `"arguments":{"n":1},"index":0,"name":"look"`) || !strings.Contains(lines, `"id":"call_1_1"`) {
		t.Errorf("lines:\n%s", lines)
	}
}

func TestWindowRefusesWithOpenAIsError(t *testing.T) {
	server := modeltest.Start(t).Window(10)
	status, body := post(t, server.URL+"/v1/chat/completions", openAIQuestion)
	if status != http.StatusBadRequest || !strings.Contains(body, `"code":"context_length_exceeded"`) {
		t.Errorf("%d %s", status, body)
	}
}
