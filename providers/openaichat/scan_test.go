package openaichat

import (
	"encoding/json"
	"reflect"
	"testing"
)

// usual are chunks that servers send for each token: OpenAI, vLLM, llama.cpp, Groq, OpenRouter,
// DeepSeek and Ollama. The scanner must read them without encoding/json.
var usual = []string{
	`{"id":"chatcmpl-BxQ2kP","object":"chat.completion.chunk","created":1763636400,"model":"gpt-5.1-2025-11-13","service_tier":"default","system_fingerprint":"fp_a1b2c3","choices":[{"index":0,"delta":{"content":" token"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x7Yq"}`,
	`{"id":"chatcmpl-BxQ2kP","object":"chat.completion.chunk","created":1763636400,"model":"gpt-5.1-2025-11-13","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}]}`,
	`{"choices":[{"delta":{"content":" line\nand \"more\" of a C:\\path\t"}}]}`,
	`{"choices":[{"delta":{"content":"größer, 日本, 👋"},"index":0}],"model":"qwen/qwen3-32b"}`,
	`{"choices":[{"index":0,"delta":{"reasoning_content":"hm","content":null},"finish_reason":null}]}`,
	`{"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"hm","reasoning_details":null},"finish_reason":null,"native_finish_reason":null}]}`,
	`{ "choices" : [ { "delta" : { } , "finish_reason" : "stop" } ] }`,
	`{"choices":[],"usage":null}`,
	`{"created":[],"choices":[]}`,
}

func TestTheUsualChunkNeedsNoReflection(t *testing.T) {
	var s scanner
	for _, data := range usual {
		if _, ok := s.chunk([]byte(data)); !ok {
			t.Errorf("it is left to encoding/json: %s", data)
		}
	}
}

// Unusual input falls back to encoding/json.
var unusual = []string{
	``, `{`, `[]`, `null`, `"a"`, `{"choices":[{"delta":{"content":"a"}}]`, `{"choices":[{"delta":{"content":"a"}}]}}`, `{"choices":[{"delta":{"content":"a"}}]} x`,
	`{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}`, `{"choices":[{"delta":{"content":"a"}}],"choices":[]}`, `{"choices":null}`,
	`{"choices":[{"delta":{"content":"a"},"delta":{"refusal":"b"}}]}`, `{"choices":[{"delta":null}]}`, `{"choices":[{"message":{"content":"a"}}]}`,
	`{"choices":[{"delta":{"content":7}}]}`, `{"choices":[{"delta":{"content":[{"text":"a"}]}}]}`, `{"choices":[{"delta":{"tool_calls":[]}}]}`,
	`{"CHOICES":[{"delta":{"content":"a"}}]}`, `{"MODEL":"m"}`, `{"choices":[{"FINISH_REASON":"stop"}]}`, `{"choices":[{"delta":{"\u0063ontent":"a"}}]}`, `{"choiceſ":[]}`,
	`{"choices":[{"delta":{"content":"\u00fc"}}]}`, `{"choices":[{"delta":{"content":"\x"}}]}`, "{\"choices\":[{\"delta\":{\"content\":\"a\nb\"}}]}", "{\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}",
	"{\"choices\":[{\"delta\":{\"content\":\"\\n\xff\"}}]}", `{"choices":[{"delta":{"content":"\`, `{"choices":[{"delta":{"content":"\n`,
	`{"created":01}`, `{"created":1.5}`, `{"created":1e3}`, `{"created":-1}`, `{"created":`, `{"created":1`, `{"created":[1]}`, `{"created":[}`, `{"created":nul}`, `{"id":"\q"}`,
	`{"MODEL":"m","choices":[]}`, `{"choices":[{"delta":{"Content":"a"}}]}`, `{"choices":[{"delta":{},"Finish_reason":"stop"}]}`,
	`{"usage":{"prompt_tokens":1}}`, `{"error":"x"}`, `{"choices":[{}] "model":"m"}`, `{"model":"m",}`, `{,}`, `{"model" "m"}`,
}

func TestUnusualJSONFallsBackToEncodingJSON(t *testing.T) {
	var s scanner
	for _, data := range unusual {
		if c, ok := s.chunk([]byte(data)); ok {
			t.Errorf("%s was read as %+v", data, c)
		}
	}
}

// agree compares the scanner with encoding/json.
func agree(t *testing.T, s *scanner, data []byte) {
	t.Helper()
	scanned, ok := s.chunk(data)
	if !ok {
		return
	}
	read, err := decode(data)
	if string(read.Error) == "null" {
		read.Error = nil
	}
	if err != nil || !reflect.DeepEqual(scanned, read) {
		t.Errorf("%q\nscanned %s\nread    %s, %v", data, inWords(scanned), inWords(read), err)
	}
}

func inWords(c chunk) []byte {
	text, _ := json.Marshal(c)
	return text
}

// FuzzScan reads any bytes after a usual chunk, of which no data may remain.
func FuzzScan(f *testing.F) {
	for _, data := range append(usual, unusual...) {
		f.Add([]byte(data))
	}
	f.Add([]byte(`{"model":null,"object":null,"choices":[{"delta":{"content":"a","content":null},"finish_reason":""}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s scanner
		agree(t, &s, []byte(usual[0]))
		agree(t, &s, data)
		agree(t, &s, []byte(usual[2]))
	})
}
