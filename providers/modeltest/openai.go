package modeltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// A voice encodes one answer in one protocol. Its frame method encodes a payload as an event.
type voice interface {
	open() [][]byte
	say(text string) [][]byte
	think(text string) [][]byte
	call(calls []Call) [][]byte
	fail(message string) []byte
	finish(reason string) [][]byte
	frame(payload []byte) []byte
	whole(text, thought string, calls []Call, reason string) []byte
}

type openAI struct {
	form
	request Request
	chunks  int
}

type openAIChunk struct {
	ID      string          `json:"id"`
	Object  string          `json:"object"`
	Created int64           `json:"created"`
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error,omitempty"`
	Choices []openAIChoice  `json:"choices"`
	Usage   *openAIUsage    `json:"usage,omitempty"`
}

type openAIChoice struct {
	Index        int            `json:"index"`
	Delta        map[string]any `json:"delta,omitempty"`
	Message      map[string]any `json:"message,omitempty"`
	LogProbs     any            `json:"logprobs"`
	FinishReason any            `json:"finish_reason"`
}

type openAIUsage struct {
	PromptTokens        int `json:"prompt_tokens"`
	CompletionTokens    int `json:"completion_tokens"`
	TotalTokens         int `json:"total_tokens"`
	PromptTokensDetails struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func (v *openAI) chunk(delta map[string]any, reason any) openAIChunk {
	v.chunks++
	chunk := openAIChunk{
		ID: fmt.Sprintf("chatcmpl-%d", v.request.N), Object: "chat.completion.chunk", Created: 1_700_000_000,
		Model: v.model, Choices: []openAIChoice{{Delta: delta, FinishReason: reason}},
	}
	if v.changeIDs {
		chunk.ID += fmt.Sprintf("-%d", v.chunks)
	}
	if v.nullError {
		chunk.Error = json.RawMessage("null")
	}
	if v.usageEach {
		chunk.Usage = v.usage()
	}
	return chunk
}

func (v *openAI) usage() *openAIUsage {
	usage := openAIUsage{PromptTokens: v.input, CompletionTokens: v.output, TotalTokens: v.input + v.output}
	usage.PromptTokensDetails.CachedTokens = v.cached
	return &usage
}

func (v *openAI) open() [][]byte {
	var payloads [][]byte
	if v.strangers {
		payloads = append(payloads, []byte(`{"object":"chat.completion.progress","stage":"queued","position":3}`), []byte(`{}`))
	}
	if !v.noRole {
		payloads = append(payloads, encode(v.chunk(map[string]any{"role": "assistant", "content": "", "refusal": nil}, nil)))
	}
	if v.nulls {
		for _, text := range []string{
			`{"id":null,"choices":null}`, `{"choices":[]}`, `{"choices":[{"index":0,"delta":null}]}`,
			`{"choices":[{"index":0,"delta":{"content":null,"tool_calls":null,"reasoning_content":null}}],"usage":null}`,
		} {
			payloads = append(payloads, []byte(text))
		}
	}
	return payloads
}

func (v *openAI) say(text string) [][]byte {
	return [][]byte{encode(v.chunk(map[string]any{"content": text}, nil))}
}

func (v *openAI) think(text string) [][]byte { return [][]byte{v.thought(text)} }

func (v *openAI) thought(text string) []byte {
	switch v.thinkField {
	case "":
		return encode(v.chunk(map[string]any{"reasoning_content": text}, nil))
	case "reasoning_details":
		detail := map[string]any{"type": "reasoning.text", "text": text, "index": 0, "format": "unknown"}
		return encode(v.chunk(map[string]any{"content": "", "reasoning_details": []any{detail}}, nil))
	}
	return encode(v.chunk(map[string]any{v.thinkField: text}, nil))
}

// call encodes tool calls. By default, the first event of a call contains the id and the name, and
// later events contain the arguments.
func (v *openAI) call(calls []Call) [][]byte {
	queues := make([][]map[string]any, len(calls))
	for i, call := range calls {
		queues[i] = v.deltas(i, call)
	}
	var payloads [][]byte
	send := func(delta map[string]any) {
		payloads = append(payloads, encode(v.chunk(map[string]any{"tool_calls": []any{delta}}, nil)))
	}
	if !v.interleave {
		for _, queue := range queues {
			for _, delta := range queue {
				send(delta)
			}
		}
		return payloads
	}
	for more := true; more; {
		more = false
		for i, queue := range queues {
			if len(queue) > 0 {
				send(queue[0])
				queues[i], more = queue[1:], true
			}
		}
	}
	return payloads
}

func (v *openAI) deltas(i int, call Call) []map[string]any {
	head := map[string]any{"index": i, "id": call.ID, "type": "function"}
	if v.noIDs {
		delete(head, "id")
	}
	if v.signature != nil {
		head["extra_content"] = v.signature
	}
	function := map[string]any{"name": call.Name, "arguments": ""}
	head["function"] = function
	deltas := []map[string]any{head}
	switch args := call.arguments(); {
	case v.objectArgs:
		function["arguments"] = json.RawMessage(args)
	case v.pieces == 1:
		function["arguments"] = v.args(args)
	default:
		for _, piece := range cut(v.args(args), v.pieces) {
			tail := map[string]any{"arguments": piece}
			if v.repeatName {
				tail["name"] = call.Name
			}
			deltas = append(deltas, map[string]any{"index": i, "function": tail})
		}
	}
	for _, delta := range deltas {
		if v.noIndex {
			delete(delta, "index")
		} else if v.index != nil {
			delta["index"] = v.index
		}
	}
	return deltas
}

func (v *openAI) args(text string) string {
	if v.doubleArgs {
		return string(encode(text))
	}
	return text
}

func (v *openAI) fail(message string) []byte {
	return encode(map[string]any{"error": map[string]any{"message": message, "type": "server_error", "code": "server_error", "param": nil}})
}

func (v *openAI) finish(reason string) [][]byte {
	var payloads [][]byte
	if !v.noFinish {
		payloads = append(payloads, encode(v.chunk(map[string]any{}, reason)))
	}
	if v.request.Usage && !v.noUsage && !v.noFinish {
		chunk := v.chunk(nil, nil)
		chunk.Choices, chunk.Usage = []openAIChoice{}, v.usage()
		payloads = append(payloads, encode(chunk))
	}
	if !v.noDone && !v.noFinish {
		payloads = append(payloads, []byte("[DONE]"))
	}
	return payloads
}

func (v *openAI) frame(payload []byte) []byte {
	field, end := "data: ", "\n"
	if v.noSpace {
		field = "data:"
	}
	if v.crlf {
		end = "\r\n"
	}
	var out bytes.Buffer
	if v.eventLines {
		fmt.Fprintf(&out, "event: message%sid: %d%sretry: 3000%s", end, v.chunks, end, end)
	}
	if v.multiLine && payload[0] == '{' { // a line break between JSON tokens makes two lines that each begin with "data:"
		payload = append([]byte("{\n"), payload[1:]...)
	}
	for line := range strings.SplitSeq(string(payload), "\n") {
		out.WriteString(field + line + end)
	}
	out.WriteString(end)
	return out.Bytes()
}

func (v *openAI) whole(text, thought string, calls []Call, reason string) []byte {
	message := map[string]any{"role": "assistant", "content": text}
	if thought != "" {
		message["reasoning_content"] = thought
	}
	if len(calls) > 0 {
		var encoded []any
		for _, call := range calls {
			encoded = append(encoded, map[string]any{
				"id": call.ID, "type": "function",
				"function": map[string]any{"name": call.Name, "arguments": v.args(call.arguments())},
			})
		}
		message["tool_calls"] = encoded
	}
	chunk := v.chunk(nil, reason)
	chunk.Object, chunk.Usage = "chat.completion", v.usage()
	chunk.Choices[0].Message = message
	return encode(chunk)
}

// cut returns text in at most n pieces. It never divides a character. If n is 0, the limit is 3.
func cut(text string, n int) []string {
	n = cmp.Or(n, 3)
	runes := []rune(text)
	size := max(1, (len(runes)+n-1)/n)
	var pieces []string
	for len(runes) > 0 {
		piece := min(size, len(runes))
		pieces = append(pieces, string(runes[:piece]))
		runes = runes[piece:]
	}
	return pieces
}

// encode converts a value to JSON without HTML escapes. It then replaces badByte with an invalid
// UTF-8 byte, and FirstHalf and SecondHalf with surrogate escapes.
func encode(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("modeltest: " + err.Error())
	}
	text := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	for private, written := range map[string]string{badByte: "\xff", FirstHalf: `\ud83d`, SecondHalf: `\ude00`} {
		text = bytes.ReplaceAll(text, []byte(private), []byte(written))
	}
	return text
}

// FirstHalf and SecondHalf are placeholders for the two surrogates of 😀. The server replaces the
// placeholders with the JSON escapes \ud83d and \ude00.
const (
	FirstHalf  = "\ue0d8"
	SecondHalf = "\ue0de"
	badByte    = "\ue0ff"
)
