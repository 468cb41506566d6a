package ollama

import (
	"encoding/json"
	"testing"

	"github.com/ollama/ollama/api"
)

// usual are lines from docs/api.md of Ollama.
var usual = []string{
	`{"model":"llama3.2","created_at":"2023-08-04T08:52:19.385406455-07:00","message":{"role":"assistant","content":"The"},"done":false}`,
	`{"model":"qwen3","created_at":"2026-11-20T10:00:00.000000001Z","message":{"role":"assistant","content":"","thinking":"Okay, \"so\"\n"},"done":false}`,
	`{"model":"llama3.2","created_at":"2023-08-04T08:52:19.385406455-07:00","message":{"role":"assistant","content":"The","images":null},"done":false}` + "\r\n",
}

// unusual lines are left to the client.
var unusual = []string{
	`{"model":"m","created_at":"2026-11-20T10:00:00Z","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"eval_count":26}`,
	`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"a"}}]},"done":false}`,
	`{"model":"m","message":{"role":"assistant","content":"a"},"done":false,"prompt_eval_count":5}`, `{"error":"an error was encountered while running the model"}`,
	`{"model":"m","done":false}`, `{"model":"m","message":{"content":"a"}}`, `{"model":"m","message":null,"done":false}`, `{"model":"m","message":{"Content":"a"},"done":false}`,
	`{"model":"m","message":{"content":"\u003ca"},"done":false}`, `{"model":"m","message":{"content":"a"},"done":false`, "\n", `<html>`,
}

func TestTheUsualLineNeedsNoClient(t *testing.T) {
	var s scanner
	for _, data := range usual {
		if _, ok := s.line([]byte(data)); !ok {
			t.Errorf("it is left to the client: %s", data)
		}
	}
	for _, data := range unusual {
		if read, ok := s.line([]byte(data)); ok {
			t.Errorf("%s was scanned as %+v", data, read)
		}
	}
}

// FuzzScan compares the scanner with the client.
func FuzzScan(f *testing.F) {
	for _, data := range append(usual, unusual...) {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s scanner
		for _, data := range [][]byte{[]byte(usual[1]), data, []byte(usual[0])} {
			read, ok := s.line(data)
			if !ok {
				continue
			}
			var want struct {
				Model   string      `json:"model"`
				Message api.Message `json:"message"`
				Done    bool        `json:"done"`
				Error   string      `json:"error"`
			}
			err := json.Unmarshal(data, &want)
			if err != nil || read != (piece{want.Model, want.Message.Content, want.Message.Thinking}) || want.Done || want.Error != "" || len(want.Message.ToolCalls) > 0 {
				t.Errorf("%q: scanned %+v, read %+v, %v", data, read, want, err)
			}
		}
	})
}
