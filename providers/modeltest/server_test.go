package modeltest_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// post sends a body unchanged and returns status and answer.
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
	step := modeltest.Think("hm").Append(modeltest.Text("hello", " <world>")).WithFaults(modeltest.Tokens(12, 2, 3))
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

func TestServeOutsideTests(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- modeltest.Serve(listener, func(request modeltest.Request) modeltest.Step {
			return modeltest.Text("you said " + request.Last().Text)
		})
	}()
	if _, body := post(t, "http://"+listener.Addr().String()+"/v1/chat/completions", openAIQuestion); !strings.Contains(body, "you said hi") {
		t.Error(body)
	}
	if status, body := post(t, "http://"+listener.Addr().String()+"/v1/chat/completions", `{"model":"m","messages":[]}`); status != http.StatusBadRequest {
		t.Errorf("%d %s", status, body)
	}
	listener.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	http.DefaultClient.CloseIdleConnections()
}

// TestPipesKeepVirtualTime checks that an hour of silence takes no time in a bubble.
func TestPipesKeepVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		time.AfterFunc(time.Hour, func() { close(gate) })
		server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step {
			return modeltest.Text("a").Append(modeltest.Pause(gate), modeltest.Text("b"))
		})
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/chat", strings.NewReader(ollamaQuestion))
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if took := time.Since(started); err != nil || !strings.Contains(string(body), `"content":"b"`) || took != time.Hour {
			t.Errorf("%v %s after %v", err, body, took)
		}
	})
}

func TestRequestWithoutStreamGetsOneBody(t *testing.T) {
	server := modeltest.Start(t, modeltest.Think("hm").Append(modeltest.Text("a", "b"), modeltest.Calls(modeltest.Call{Name: "look"})))
	_, body := post(t, server.URL+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"hi"}]}`)
	for _, want := range []string{`"object":"chat.completion"`, `"content":"ab"`, `"reasoning_content":"hm"`, `"name":"look"`, `"finish_reason":"tool_calls"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
