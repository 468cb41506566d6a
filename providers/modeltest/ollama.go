package modeltest

import (
	"encoding/json"
	"strings"
)

type ollama struct {
	form
	request Request
}

func (v *ollama) line(message map[string]any) map[string]any {
	message["role"] = "assistant"
	if _, ok := message["content"]; !ok {
		message["content"] = ""
	}
	line := map[string]any{"model": v.model, "created_at": "2026-11-20T10:00:00.000000001Z", "message": message, "done": false}
	if v.strangers {
		line["queue_position"] = 3
	}
	if v.usageEach {
		line["prompt_eval_count"], line["eval_count"] = v.input, v.output
	}
	return line
}

func (v *ollama) open() [][]byte { return nil }

func (v *ollama) say(text string) [][]byte {
	return [][]byte{encode(v.line(map[string]any{"content": text}))}
}

func (v *ollama) think(text string) [][]byte {
	return [][]byte{encode(v.line(map[string]any{"thinking": text}))}
}

// call encodes each tool call in a separate line, because Ollama does not stream a call in pieces.
func (v *ollama) call(calls []Call) [][]byte {
	var payloads [][]byte
	for i, call := range calls {
		payloads = append(payloads, encode(v.line(map[string]any{"tool_calls": []any{v.encoded(i, call)}})))
	}
	return payloads
}

func (v *ollama) encoded(i int, call Call) map[string]any {
	args := json.RawMessage(call.arguments())
	if !json.Valid(args) {
		args = encode(string(args))
	}
	encoded := map[string]any{"id": call.ID, "function": map[string]any{"index": i, "name": call.Name, "arguments": args}}
	if v.noIDs {
		delete(encoded, "id")
	}
	return encoded
}

func (v *ollama) fail(message string) []byte { return encode(map[string]any{"error": message}) }

func (v *ollama) finish(reason string) [][]byte {
	if v.noFinish || v.noDone {
		return nil
	}
	if reason == "tool_calls" {
		reason = "stop" // Ollama has no separate finish reason for calls
	}
	return [][]byte{encode(v.done(map[string]any{}, reason))}
}

func (v *ollama) done(message map[string]any, reason string) map[string]any {
	line := v.line(message)
	line["done"], line["done_reason"] = true, reason
	line["total_duration"], line["load_duration"] = 1_000_000, 100_000
	if !v.noUsage {
		line["prompt_eval_count"], line["eval_count"] = v.input, v.output
	}
	return line
}

func (v *ollama) frame(payload []byte) []byte {
	end := "\n"
	if v.crlf {
		end = "\r\n"
	}
	return []byte(strings.ReplaceAll(string(payload), "\n", " ") + end)
}

func (v *ollama) whole(text, thought string, calls []Call, reason string) []byte {
	message := map[string]any{"content": text}
	if thought != "" {
		message["thinking"] = thought
	}
	var encoded []any
	for i, call := range calls {
		encoded = append(encoded, v.encoded(i, call))
	}
	if encoded != nil {
		message["tool_calls"] = encoded
	}
	return encode(v.done(message, reason))
}
