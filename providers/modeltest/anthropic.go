package modeltest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
)

// anthropic writes the events of /v1/messages, as documented in the pages on streaming and on
// thinking at platform.claude.com.
type anthropic struct {
	form
	request Request
	blocks  int
	open_   string // the kind of the open block
	thought strings.Builder
}

func (v *anthropic) usage() map[string]any {
	return map[string]any{"input_tokens": v.input - v.cached - v.written, "cache_read_input_tokens": v.cached, "cache_creation_input_tokens": v.written, "output_tokens": 1}
}

func (v *anthropic) open() [][]byte {
	message := map[string]any{"id": fmt.Sprintf("msg_%d", v.request.N), "type": "message", "role": "assistant", "model": v.model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil}
	if !v.noUsage {
		message["usage"] = v.usage()
	}
	payloads := [][]byte{encode(map[string]any{"type": "message_start", "message": message}), []byte(`{"type":"ping"}`)}
	if v.strangers {
		payloads = append(payloads, []byte(`{"type":"content_queue","position":3}`), []byte(`{}`))
	}
	return payloads
}

// begin opens a block of the given kind and closes the previous one.
func (v *anthropic) begin(kind string, block map[string]any) (payloads [][]byte) {
	if v.open_ == kind && kind != "tool_use" {
		return nil
	}
	payloads = v.close()
	block["type"] = kind
	payloads = append(payloads, encode(map[string]any{"type": "content_block_start", "index": v.blocks, "content_block": block}))
	v.open_ = kind
	return payloads
}

func (v *anthropic) close() (payloads [][]byte) {
	if v.open_ == "" {
		return nil
	}
	if v.open_ == "thinking" {
		payloads = append(payloads, v.delta(map[string]any{"type": "signature_delta", "signature": signed(v.thought.String())}))
		v.thought.Reset()
	}
	payloads = append(payloads, encode(map[string]any{"type": "content_block_stop", "index": v.blocks}))
	v.blocks++
	v.open_ = ""
	return payloads
}

func (v *anthropic) delta(delta map[string]any) []byte {
	return encode(map[string]any{"type": "content_block_delta", "index": v.blocks, "delta": delta})
}

// signed creates the signature of a thought. A client must send back the thought and the signature.
func signed(thought string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(thought))
	return fmt.Sprintf("c2lnbmVk%x==", sum.Sum64())
}

func (v *anthropic) say(text string) [][]byte {
	return append(v.begin("text", map[string]any{"text": ""}), v.delta(map[string]any{"type": "text_delta", "text": text}))
}

func (v *anthropic) think(text string) [][]byte {
	payloads := v.begin("thinking", map[string]any{"thinking": "", "signature": ""})
	v.thought.WriteString(text)
	return append(payloads, v.delta(map[string]any{"type": "thinking_delta", "thinking": text}))
}

func (v *anthropic) call(calls []Call) (payloads [][]byte) {
	for _, call := range calls {
		payloads = append(payloads, v.begin("tool_use", map[string]any{"id": call.ID, "name": call.Name, "input": map[string]any{}})...)
		for _, piece := range cut(call.arguments(), v.pieces) {
			payloads = append(payloads, v.delta(map[string]any{"type": "input_json_delta", "partial_json": piece}))
		}
		payloads = append(payloads, v.close()...)
	}
	return payloads
}

func (v *anthropic) fail(message string) []byte {
	return encode(map[string]any{"type": "error", "error": map[string]any{"type": "api_error", "message": message}})
}

func (v *anthropic) finish(reason string) [][]byte {
	payloads := v.close()
	if v.noFinish {
		return payloads
	}
	last := map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": stopReason(reason), "stop_sequence": nil}}
	if !v.noUsage {
		last["usage"] = map[string]any{"output_tokens": v.output}
	}
	payloads = append(payloads, encode(last))
	if !v.noDone {
		payloads = append(payloads, []byte(`{"type":"message_stop"}`))
	}
	return payloads
}

func (v *anthropic) frame(payload []byte) []byte { return frameEvent(payload, v.form) }

// frameEvent writes an event of Anthropic's protocol or of the Responses API. It copies the type
// from the payload to the event field.
func frameEvent(payload []byte, form form) []byte {
	var named struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(payload, &named) // a payload that is not JSON has no type
	end, field := "\n", "data: "
	if form.crlf {
		end = "\r\n"
	}
	if form.noSpace {
		field = "data:"
	}
	text := field + string(payload) + end + end
	if named.Type != "" {
		text = "event: " + named.Type + end + text
	}
	return []byte(text)
}

func stopReason(reason string) string {
	return map[string]string{"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}[reason]
}

func (v *anthropic) whole(text, thought string, calls []Call, reason string) []byte {
	content := []any{}
	if thought != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": thought, "signature": signed(thought)})
	}
	if text != "" {
		content = append(content, map[string]any{"type": "text", "text": text})
	}
	for _, call := range calls {
		content = append(content, map[string]any{"type": "tool_use", "id": call.ID, "name": call.Name, "input": json.RawMessage(call.arguments())})
	}
	usage := v.usage()
	usage["output_tokens"] = v.output
	return encode(map[string]any{"id": fmt.Sprintf("msg_%d", v.request.N), "type": "message", "role": "assistant", "model": v.model, "content": content, "stop_reason": stopReason(reason), "stop_sequence": nil, "usage": usage})
}
