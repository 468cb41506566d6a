package anthropic

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

// event is an event of the stream, with the fields that Marvin uses.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Model string `json:"model"`
		Usage usage  `json:"usage"`
	} `json:"message"`
	Block struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Text  string          `json:"text"`
		Data  string          `json:"data"`
		Input json.RawMessage `json:"input"`
	} `json:"content_block"`
	Delta struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		Thinking    string `json:"thinking"`
		Signature   string `json:"signature"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage           `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// usage has separate fields for new input, input read from the cache, and input written to the
// cache. If several events report the same field, the last value applies.
type usage struct {
	Input   *int `json:"input_tokens"`
	Output  *int `json:"output_tokens"`
	Read    *int `json:"cache_read_input_tokens"`
	Created *int `json:"cache_creation_input_tokens"`
}

// leastBlock is the memory, in bytes, that is counted for a block without content.
const leastBlock = 64

// block is a content block of an answer that is still arriving.
type block struct {
	kind     string
	id, name string
	text     strings.Builder // text, reasoning, or the arguments of a call
	opaque   []byte
	offset   int
	begun    json.RawMessage // arguments that came with the start of the block
	done     bool
}

type answer struct {
	provider, origin, key string
	stream.Pieces
	scanner scanner

	model  string
	text   strings.Builder
	blocks []*block
	index  map[int]*block
	open   int // the number of incomplete blocks
	tools  int // the number of calls
	reason string
	ended  bool
	usage  usage
	broken int // events that could not be read
	torn   bool
}

// Begun implements [stream.Answer].
func (a *answer) Begun() bool { return len(a.blocks) > 0 || a.model != "" }

func (a *answer) Whole() bool { return a.reason != "" }

// Called implements [stream.Answer].
func (a *answer) Called() bool { return a.open == 0 && a.tools > 0 && !a.torn }

func (a *answer) Settle() { a.ended = true }

func (a *answer) Ended() bool { return a.ended }

// forwarded returns true if a part of the answer was already forwarded. If so, the question must
// not be asked again.
func (a *answer) forwarded() bool { return len(a.blocks) > 0 }

func (a *answer) Take(data []byte) error {
	read, ok := a.scanner.decode(data)
	if !ok {
		a.broken, a.torn = a.broken+1, true
		return stream.ErrBroken
	}
	return a.take(read, data)
}

func (a *answer) take(event *event, data []byte) error {
	switch event.Type {
	case "message_start":
		a.model = event.Message.Model
		a.usage.merge(event.Message.Usage)
	case "content_block_start":
		a.begin(event)
	case "content_block_delta":
		a.grow(event)
	case "content_block_stop":
		if block := a.index[event.Index]; block != nil && !block.done {
			block.done = true
			a.open--
		}
	case "message_delta":
		a.reason = event.Delta.StopReason
		a.usage.merge(event.Usage)
	case "message_stop":
		a.ended = true
	case "error":
		return providers.ServerError(a.provider, statusOf(event.Error), data, a.key)
	}
	return nil
}

func (a *answer) begin(event *event) {
	fresh := &block{kind: event.Block.Type, id: event.Block.ID, name: event.Block.Name, offset: a.text.Len()}
	a.index[event.Index] = fresh
	a.blocks = append(a.blocks, fresh)
	a.open++
	switch fresh.kind {
	case "text":
		a.say(event.Block.Text)
	case "redacted_thinking":
		fresh.opaque = []byte(sealedMark + event.Block.Data)
	case "tool_use":
		if text := string(event.Block.Input); text != "" && text != "{}" && text != "null" {
			fresh.begun = event.Block.Input
		}
		a.tools++
		a.Emit(providers.Part{Kind: providers.CallingPart, Text: fresh.name})
	}
	a.Keep(leastBlock + len(fresh.opaque) + len(fresh.name) + len(fresh.id) + len(fresh.begun))
}

func (a *answer) grow(event *event) {
	block := a.index[event.Index]
	if block == nil {
		a.torn = true // the beginning of the block was lost
		return
	}
	switch delta := event.Delta; delta.Type {
	case "text_delta":
		a.say(delta.Text)
	case "thinking_delta":
		block.text.WriteString(delta.Thinking)
		if delta.Thinking != "" {
			a.Say(providers.ThinkingPart, delta.Thinking)
		}
	case "signature_delta":
		block.opaque = append(block.opaque, delta.Signature...)
		a.Keep(len(delta.Signature))
	case "input_json_delta":
		block.text.WriteString(delta.PartialJSON)
		a.Emit(providers.Part{Kind: providers.CallingPart, Text: block.name, Size: len(delta.PartialJSON)})
	}
}

func (a *answer) say(text string) {
	if text != "" {
		a.text.WriteString(text)
		a.Say(providers.TextPart, text)
	}
}

func (a *answer) reply() providers.Reply {
	reply := providers.Reply{Text: a.text.String(), Model: a.model, Usage: a.usage.counted(), Thinking: []messages.Thought{}}
	for _, block := range a.blocks {
		switch block.kind {
		case "thinking", "redacted_thinking":
			reply.Thinking = append(reply.Thinking, messages.Thought{Text: block.text.String(), Opaque: string(block.opaque), Origin: a.origin, Offset: block.offset})
		case "tool_use":
			args := json.RawMessage(block.text.String())
			if len(args) == 0 {
				args = block.begun
			}
			if len(args) == 0 {
				args = json.RawMessage("{}")
			}
			reply.Calls = append(reply.Calls, messages.ToolCall{ID: block.id, Name: block.name, Args: args})
		}
	}
	if a.reason != "" || a.ended {
		reply.Finish = finishes(a.reason, len(reply.Calls) > 0)
	}
	if a.broken > 0 || a.torn {
		reply.Torn = true
		reply.Notices = append(reply.Notices, fmt.Sprintf("damaged pieces of the answer were skipped: %d", max(a.broken, 1)))
	}
	return reply
}

func finishes(reason string, called bool) providers.Finish {
	switch {
	case reason == "max_tokens" || reason == "model_context_window_exceeded":
		return providers.Length
	case reason == "refusal":
		return providers.Filtered
	case called || reason == "tool_use": // "tool_use" means Called even if no call arrived
		return providers.Called
	}
	return providers.Stopped
}

func (u *usage) merge(more usage) {
	for _, pair := range []struct{ to, from **int }{{&u.Input, &more.Input}, {&u.Output, &more.Output}, {&u.Read, &more.Read}, {&u.Created, &more.Created}} {
		if *pair.from != nil {
			*pair.to = *pair.from
		}
	}
}

func (u *usage) counted() providers.Usage {
	if u.Input == nil && u.Output == nil {
		return providers.Usage{}
	}
	number := func(n *int) int {
		if n == nil {
			return 0
		}
		return *n
	}
	cached, written := number(u.Read), number(u.Created)
	return providers.Usage{Input: number(u.Input) + cached + written, Cached: cached, Written: written, Output: number(u.Output), Known: true}
}

// statusOf returns the HTTP status that matches an error inside the stream.
func statusOf(raw json.RawMessage) int {
	var named struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(raw, &named)
	return stream.StatusOf(named.Type, errorKinds)
}

// errorKinds maps error types to HTTP statuses. The source is the page "Errors" at
// platform.claude.com/docs (read in November 2026).
var errorKinds = []stream.ErrorKind{
	{Word: "invalid_request_error", Status: http.StatusBadRequest},
	{Word: "authentication_error", Status: http.StatusUnauthorized},
	{Word: "billing_error", Status: http.StatusPaymentRequired},
	{Word: "permission_error", Status: http.StatusForbidden},
	{Word: "not_found_error", Status: http.StatusNotFound},
	{Word: "request_too_large", Status: http.StatusRequestEntityTooLarge},
	{Word: "rate_limit_error", Status: http.StatusTooManyRequests},
	{Word: "api_error", Status: http.StatusInternalServerError},
	{Word: "timeout_error", Status: http.StatusGatewayTimeout},
	{Word: "overloaded_error", Status: 529}, // Anthropic's own status
}
