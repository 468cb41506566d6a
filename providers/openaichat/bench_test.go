package openaichat

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

const tokens = 20_000

// chunks is an answer of 20,000 tokens as OpenAI writes it.
func chunks() []byte {
	var out bytes.Buffer
	for i := range tokens {
		fmt.Fprintf(&out, `data: {"id":"chatcmpl-BxQ2kP","object":"chat.completion.chunk","created":1763636400,"model":"gpt-5.1-2025-11-13","service_tier":"default","system_fingerprint":"fp_a1b2c3","choices":[{"index":0,"delta":{"content":" token%d"},"logprobs":null,"finish_reason":null}],"obfuscation":"x7Yq"}`+"\n\n", i%10)
	}
	out.WriteString("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	return out.Bytes()
}

// BenchmarkAnswer reads the answer as Respond does.
func BenchmarkAnswer(b *testing.B) {
	data := chunks()
	b.ReportAllocs()
	for b.Loop() {
		a := &answer{provider: "x", pieces: stream.Pieces{To: func(part providers.Part) { _, _ = io.WriteString(io.Discard, part.Text) }}}
		response := &http.Response{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(bytes.NewReader(data))}
		if err := a.read(b.Context(), response, func(error) {}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tokens, "ns/token")
}

// BenchmarkMinimalClient measures the least work of any client, for comparison.
func BenchmarkMinimalClient(b *testing.B) {
	data := chunks()
	b.ReportAllocs()
	for b.Loop() {
		lines := bufio.NewScanner(bytes.NewReader(data))
		for lines.Scan() {
			payload, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
			if !ok || string(payload) == "[DONE]" {
				continue
			}
			var c struct {
				Choices []struct {
					Delta struct {
						Content string `json:"content"`
					} `json:"delta"`
				} `json:"choices"`
			}
			if err := json.Unmarshal(payload, &c); err != nil {
				b.Fatal(err)
			}
			_, _ = io.WriteString(io.Discard, c.Choices[0].Delta.Content)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tokens, "ns/token")
}

// BenchmarkRequest encodes 30 tools and 100 messages.
func BenchmarkRequest(b *testing.B) {
	question := providers.Question{System: strings.Repeat("Be brief and kind. ", 200)}
	for i := range 30 {
		question.Tools = append(question.Tools, providers.ToolSpec{Name: fmt.Sprint("tool_", i), Doc: strings.Repeat("What it does. ", 15), Schema: json.RawMessage(
			`{"type":"object","properties":{` + strings.TrimSuffix(strings.Repeat(`"parameter":{"type":"string","description":"one sentence about it, with an example"},`, 6), ",") + `},"required":["parameter"]}`)})
	}
	for i := range 33 {
		id := fmt.Sprint("call_", i)
		question.Messages = append(question.Messages, messages.Message{Role: messages.User, Text: strings.Repeat("what is there? ", 10)},
			messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: id, Name: "tool_1", Args: json.RawMessage(`{"parameter":"a.go"}`)}}},
			messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Text: strings.Repeat("a line of a file\n", 60)}})
	}
	m := New(Config{Provider: "x", BaseURL: "http://x.test/v1", Model: "m", HTTP: &http.Client{}})
	b.ReportAllocs()
	for b.Loop() {
		body, err := m.body(question)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(body.Size())
	}
}
