package modeltest

import (
	"fmt"
	"maps"
	"strings"
)

// responses is the voice of the Responses API. Its events follow OpenAI's reference for streaming
// events.
type responses struct {
	form
	request Request
	items   int
	kind    string // the kind of the open item
	text    strings.Builder
	done    []any
	n       int
}

func (v *responses) event(kind string, fields map[string]any) []byte {
	fields["type"], fields["sequence_number"] = kind, v.n
	v.n++
	return encode(fields)
}

func (v *responses) open() [][]byte {
	return [][]byte{v.event("response.created", map[string]any{"response": map[string]any{"id": fmt.Sprintf("resp_%d", v.request.N), "object": "response", "model": v.model, "status": "in_progress"}})}
}

func (v *responses) begin(kind string) [][]byte {
	if v.kind == kind {
		return nil
	}
	payloads := v.close()
	v.kind = kind
	item := map[string]any{"type": kind, "id": fmt.Sprintf("%s_%d_%d", kind[:2], v.request.N, v.items)}
	if kind == "message" {
		item["role"], item["content"] = "assistant", []any{}
	}
	return append(payloads, v.event("response.output_item.added", map[string]any{"output_index": v.items, "item": item}))
}

func (v *responses) close() [][]byte {
	if v.kind == "" {
		return nil
	}
	id := fmt.Sprintf("%s_%d_%d", v.kind[:2], v.request.N, v.items)
	item := map[string]any{"type": v.kind, "id": id, "status": "completed", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": v.text.String(), "annotations": []any{}}}}
	if v.kind == "reasoning" {
		item = map[string]any{"type": v.kind, "id": id, "summary": []any{map[string]any{"type": "summary_text", "text": v.text.String()}}, "encrypted_content": sealed(id, v.text.String())}
	}
	v.done = append(v.done, item)
	payload := v.event("response.output_item.done", map[string]any{"output_index": v.items, "item": item})
	v.items++
	v.kind = ""
	v.text.Reset()
	return [][]byte{payload}
}

// sealed returns a substitute for the encrypted text of a reasoning item.
func sealed(id, text string) string { return "gAAAA" + signed(id+text) }

func (v *responses) say(text string) [][]byte {
	payloads := v.begin("message")
	v.text.WriteString(text)
	return append(payloads, v.event("response.output_text.delta", map[string]any{"output_index": v.items, "content_index": 0, "delta": text}))
}

func (v *responses) think(text string) [][]byte {
	payloads := v.begin("reasoning")
	v.text.WriteString(text)
	return append(payloads, v.event("response.reasoning_summary_text.delta", map[string]any{"output_index": v.items, "summary_index": 0, "delta": text}))
}

func (v *responses) call(calls []Call) (payloads [][]byte) {
	payloads = v.close()
	for _, call := range calls {
		item := map[string]any{"type": "function_call", "id": fmt.Sprintf("fc_%d_%d", v.request.N, v.items), "call_id": call.ID, "name": call.Name, "arguments": "", "status": "in_progress"}
		payloads = append(payloads, v.event("response.output_item.added", map[string]any{"output_index": v.items, "item": maps.Clone(item)}))
		for _, piece := range cut(call.arguments(), v.pieces) {
			payloads = append(payloads, v.event("response.function_call_arguments.delta", map[string]any{"output_index": v.items, "delta": piece}))
		}
		item["arguments"], item["status"] = call.arguments(), "completed"
		payloads = append(payloads, v.event("response.output_item.done", map[string]any{"output_index": v.items, "item": item}))
		v.done = append(v.done, item)
		v.items++
	}
	return payloads
}

func (v *responses) fail(message string) []byte {
	return v.event("error", map[string]any{"code": "server_error", "message": message, "param": nil})
}

func (v *responses) finish(reason string) [][]byte {
	payloads := v.close()
	if v.noFinish {
		return payloads
	}
	response := v.response(reason)
	return append(payloads, v.event("response."+response["status"].(string), map[string]any{"response": response}))
}

// response returns the response object with the items finished so far.
func (v *responses) response(reason string) map[string]any {
	response := map[string]any{"id": fmt.Sprintf("resp_%d", v.request.N), "object": "response", "model": v.model, "status": "completed", "error": nil, "incomplete_details": nil, "output": v.done}
	if !v.noUsage {
		response["usage"] = map[string]any{"input_tokens": v.input, "output_tokens": v.output, "total_tokens": v.input + v.output, "input_tokens_details": map[string]any{"cached_tokens": v.cached, "cache_write_tokens": v.written}}
	}
	if why := map[string]string{"length": "max_output_tokens", "content_filter": "content_filter"}[reason]; why != "" {
		response["status"], response["incomplete_details"] = "incomplete", map[string]any{"reason": why}
	}
	return response
}

func (v *responses) frame(payload []byte) []byte { return frameEvent(payload, v.form) }

func (v *responses) whole(text, thought string, calls []Call, reason string) []byte {
	if thought != "" {
		v.think(thought)
	}
	if text != "" {
		v.say(text)
	}
	v.call(calls)
	v.close()
	return encode(v.response(reason))
}
