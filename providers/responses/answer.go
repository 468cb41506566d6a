package responses

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

// event is an event from the stream, with only the fields that Marvin uses.
type event struct {
	Type     string  `json:"type"`
	Index    int     `json:"output_index"`
	Delta    string  `json:"delta"`
	Item     item    `json:"item"`
	Code     string  `json:"code"`
	Error    failure `json:"error"`
	Response body    `json:"response"`
}

// body is a response, with only the fields that Marvin uses.
type body struct {
	Model  string   `json:"model"`
	Error  failure  `json:"error"`
	Usage  *usage   `json:"usage"`
	Output []output `json:"output"`
	Reason struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
}

// output is an item of a complete response.
type output struct {
	item
	Content []struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
}

type failure struct {
	Code    string `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

type item struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Summary   json.RawMessage `json:"summary"`
	Encrypted string          `json:"encrypted_content"`
}

type usage struct {
	Input   int `json:"input_tokens"`
	Output  int `json:"output_tokens"`
	Details struct {
		Cached  int `json:"cached_tokens"`
		Written int `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
}

// call is a call that is still arriving.
type call struct {
	item
	args strings.Builder
	done bool
}

type answer struct {
	provider, origin, key string
	stream.Pieces
	scanner scanner

	model    string
	text     strings.Builder
	calls    []*call
	index    map[int]*call
	thoughts []messages.Thought
	thinking strings.Builder // the reasoning since the last complete reasoning item
	ended    bool
	reason   string
	usage    *usage
	broken   int
	open     int // the number of incomplete calls
}

// Begun implements [stream.Answer].
func (a *answer) Begun() bool { return a.model != "" || a.text.Len() > 0 }

func (a *answer) Whole() bool { return a.ended }

// Called implements [stream.Answer].
func (a *answer) Called() bool {
	return len(a.calls) > 0 && a.broken == 0 && a.open == 0
}

func (a *answer) Settle() { a.ended = true }

func (a *answer) Ended() bool { return a.ended }

// forwarded returns true if any part was already forwarded. If so, the question must not be asked
// again.
func (a *answer) forwarded() bool {
	return a.text.Len() > 0 || len(a.calls) > 0 || a.thinking.Len() > 0 || len(a.thoughts) > 0
}

func (a *answer) Take(data []byte) error {
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		return nil
	}
	read, ok := a.scanner.decode(data)
	if !ok {
		a.broken++
		return stream.ErrBroken
	}
	return a.take(read, data)
}

func (a *answer) take(event *event, data []byte) error {
	switch event.Type {
	case "response.created":
		a.model = event.Response.Model
	case "response.output_text.delta", "response.refusal.delta":
		if event.Delta != "" {
			a.text.WriteString(event.Delta)
			a.Say(providers.TextPart, event.Delta)
		}
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		a.thinking.WriteString(event.Delta)
		a.Say(providers.ThinkingPart, event.Delta)
	case "response.output_item.added":
		if event.Item.Type == "function_call" {
			a.begin(event)
		}
	case "response.function_call_arguments.delta":
		if call := a.index[event.Index]; call != nil {
			call.args.WriteString(event.Delta)
			a.Emit(providers.Part{Kind: providers.CallingPart, Text: call.Name, Size: len(event.Delta)})
		}
	case "response.output_item.done":
		a.finishItem(event)
	case "response.completed", "response.incomplete":
		a.addMissed(event.Response.Output)
		a.end(&event.Response)
	case "response.failed":
		failure := event.Response.Error
		return providers.ServerError(a.provider, stream.StatusOf(failure.Code, errorKinds), fmt.Appendf(nil, `{"error":{"code":%s,"message":%s}}`, stream.Encode(failure.Code), stream.Encode(failure.Message)), a.key)
	case "error": // the reference has the code in the event, but the server sends it in the field "error"
		return providers.ServerError(a.provider, stream.StatusOf(event.Code+event.Error.Code, errorKinds), data, a.key)
	}
	return nil
}

// addMissed adds output that arrived only with the complete response. Some servers send all output
// that way. Calls get their arguments from the complete response.
func (a *answer) addMissed(all []output) {
	seen := a.forwarded()
	words := a.text.Len() > 0
	known := map[string]*call{}
	for _, call := range slices.Backward(a.calls) {
		known[call.CallID] = call // the first call with an id overwrites later calls
	}
	for i, one := range all {
		switch one.Type {
		case "function_call":
			begun := known[one.CallID]
			if begun == nil {
				begun = a.begin(&event{Index: -1 - i, Item: one.item})
				known[one.CallID] = begun
			}
			a.complete(begun, one.item)
		case "message":
			if !words {
				a.speak(one)
			}
		case "reasoning":
			if !seen {
				a.muse(one.Summary)
				a.finishItem(&event{Index: -1 - i, Item: one.item})
			}
		}
	}
}

// speak appends the text of a complete message to a.text, and forwards the text.
func (a *answer) speak(one output) {
	for _, part := range one.Content {
		if said := part.Text + part.Refusal; said != "" {
			a.text.WriteString(said)
			a.Say(providers.TextPart, said)
		}
	}
}

func (a *answer) end(response *body) {
	a.ended, a.usage, a.reason = true, response.Usage, response.Reason.Reason
}

func (a *answer) begin(event *event) *call {
	fresh := &call{item: event.Item}
	a.index[event.Index] = fresh
	a.calls = append(a.calls, fresh)
	a.open++
	a.Emit(providers.Part{Kind: providers.CallingPart, Text: fresh.Name})
	a.Keep(len(fresh.Name) + len(fresh.CallID))
	return fresh
}

// finishItem handles a complete call or a complete piece of reasoning.
func (a *answer) finishItem(event *event) {
	switch event.Item.Type {
	case "function_call":
		call := a.index[event.Index]
		if call == nil {
			call = a.begin(event)
		}
		a.complete(call, event.Item)
	case "reasoning":
		thought := messages.Thought{Text: a.thinking.String(), Origin: a.origin, Offset: a.text.Len()}
		a.thinking.Reset()
		if event.Item.Encrypted != "" {
			summary := event.Item.Summary
			if len(summary) == 0 {
				summary = json.RawMessage("[]")
			}
			thought.Opaque = fmt.Sprintf(`{"type":"reasoning","id":%s,"summary":%s,"encrypted_content":%s}`, stream.Encode(event.Item.ID), summary, stream.Encode(event.Item.Encrypted))
		}
		a.thoughts = append(a.thoughts, thought)
		a.Keep(thoughtBytes + len(thought.Opaque))
	}
}

// thoughtBytes is the memory counted for a thought, not including its encrypted text.
const thoughtBytes = 64

func (a *answer) complete(call *call, item item) {
	if !call.done {
		a.open--
	}
	a.Keep(max(0, len(item.Arguments)-call.args.Len()))
	call.item, call.done = item, true
}

func (a *answer) reply() providers.Reply {
	reply := providers.Reply{Text: a.text.String(), Model: a.model, Thinking: append([]messages.Thought{}, a.thoughts...)}
	if a.thinking.Len() > 0 {
		reply.Thinking = append(reply.Thinking, messages.Thought{Text: a.thinking.String(), Origin: a.origin, Offset: a.text.Len()})
	}
	for _, call := range a.calls {
		args := call.Arguments
		if !call.done {
			args = call.args.String()
		}
		args = cmp.Or(args, "{}")
		reply.Calls = append(reply.Calls, messages.ToolCall{ID: call.CallID, Name: call.Name, Args: json.RawMessage(args)})
		reply.Torn = reply.Torn || a.broken > 0 && !call.done
	}
	if a.broken > 0 {
		reply.Torn = reply.Torn || len(reply.Calls) == 0
		reply.Notices = append(reply.Notices, fmt.Sprintf("damaged pieces of the answer were skipped: %d", a.broken))
	}
	switch {
	case !a.ended:
	case a.reason == "max_output_tokens":
		reply.Finish = providers.Length
	case a.reason == "content_filter":
		reply.Finish = providers.Filtered
	case len(reply.Calls) > 0:
		reply.Finish = providers.Called
	default:
		reply.Finish = providers.Stopped
	}
	if count := a.usage; count != nil {
		reply.Usage = providers.Usage{Input: count.Input, Cached: count.Details.Cached, Written: count.Details.Written, Output: count.Output, Known: true}
	}
	return reply
}

// errorKinds maps words in an error's code to the HTTP status that the server uses for the same
// error outside a stream. The words come from OpenAI's ResponseErrorCode and from users' reports.
var errorKinds = []stream.ErrorKind{
	{Word: "rate_limit", Status: http.StatusTooManyRequests},
	{Word: "quota", Status: http.StatusTooManyRequests},
	{Word: "usage_limit", Status: http.StatusTooManyRequests},
	{Word: "overloaded", Status: http.StatusServiceUnavailable},
	{Word: "slow_down", Status: http.StatusServiceUnavailable},
	{Word: "context_length", Status: http.StatusBadRequest},
	{Word: "invalid", Status: http.StatusBadRequest},
	{Word: "image", Status: http.StatusBadRequest},
}
