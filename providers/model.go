package providers

import (
	"context"
	"encoding/json"
	"time"

	"marvin/messages"
)

// A Model gives one answer at a time. Respond blocks until the answer is complete, the context ends
// or an error occurs. Respond passes each part to the given function, always in the calling
// goroutine. Respond never panics. If Respond returns an error, the Reply contains the answer so
// far.
//
// Close closes connections and processes without waiting for them. Close can be called during
// Respond, but only once.
type Model interface {
	Respond(ctx context.Context, question Question, emit func(Part)) (Reply, error)
	Close() error
}

// Question is the content of one request.
//
// Within a turn, messages are only appended, and nothing else changes. Providers cache by prefix,
// so a Model must encode equal questions to equal bytes.
type Question struct {
	System   string
	Messages []messages.Message
	Tools    []ToolSpec // if empty, the model must not call tools
	Effort   Effort     // how long the model thinks; if empty, the model decides
}

// ToolSpec describes a tool to a model. Schema is a JSON schema whose type is "object".
type ToolSpec struct {
	Name   string          `json:"name"`
	Doc    string          `json:"doc,omitempty"`
	Schema json.RawMessage `json:"schema,omitempty"`
}

// Part is a piece of a streamed answer.
type Part struct {
	Kind PartKind
	Text string
	Wait time.Duration // in a NoticePart, the time until Marvin queries the model again
	Size int           // in a CallingPart, the number of bytes added to the call's arguments
	Kept int           // in a ThinkingPart without text, how many bytes are stored but not shown
}

// PartKind is the kind of a piece of an answer.
type PartKind uint8

// The kinds of parts.
const (
	TextPart PartKind = iota
	ThinkingPart
	// CallingPart reports that the model is still writing a tool call. Text is the tool's name, or
	// "" if the name is not yet known.
	CallingPart
	// NoticePart is a message for the user outside the answer. A NoticePart without text only
	// reports that the model is not the cause of the delay.
	NoticePart
	// AnewPart tells the user that the answer was interrupted. The model then repeats everything that
	// it wrote since the last round of calls.
	AnewPart
)

// Reply is an answer. After an error, Reply contains the answer so far.
type Reply struct {
	Text string
	// Thinking is the reasoning that later requests must contain together with the answer. If the
	// protocol has no such data, Thinking is nil, and only the emitted parts contain reasoning.
	Thinking []messages.Thought
	Calls    []messages.ToolCall // the calls as the model wrote them; ids may be missing or repeated
	Finish   Finish
	Model    string // the server's name for the model; "" if the server gives none
	Usage    Usage
	// Window is the maximum number of tokens of a question and its answer together. Widest is the
	// largest window that a request can ask for. Both are 0 if the server does not report them.
	Window, Widest int
	// Notices are messages for the user, for example about a truncated prompt or a repaired field.
	Notices []string
	// Torn means that a lost piece might belong to a call. The calls must not be executed.
	Torn bool
	// Rest waits for usage that arrives after the answer. It returns the zero Usage after 15 s or
	// when the request's context ends. If Rest is not nil, the caller must call Rest once, from any
	// goroutine.
	Rest func() Usage
	// Undo is a change that Marvin undoes or redoes after the turn if the user agrees. Undo is nil
	// if there is no such change. Only the built-in assistant sets Undo.
	Undo *messages.Undo
}

// Finish is the reason why a model stopped.
type Finish string

// The reasons why a model stopped. Cut means that the server gave no reason before the stream
// ended.
const (
	Stopped  Finish = "stop"
	Called   Finish = "tool_calls"
	Length   Finish = "length"
	Filtered Finish = "content_filter"
	Cut      Finish = ""
)

// Usage counts the tokens of one round trip. If an SDK with its own tool loop makes several
// requests for one Reply, Usage is the sum, and Turns is the number of requests. Known means that
// the server reported the tokens, and Estimated means that Marvin estimated them.
type Usage struct {
	Input     int
	Cached    int // part of Input that was read from the provider's cache
	Written   int // part of Input that was written to the provider's cache
	Output    int
	Known     bool
	Estimated bool
	Turns     int // 0 means 1
}

// mostTokens is larger than the number of tokens in any request; the largest context windows have
// ten million tokens.
const mostTokens = 100_000_000

// Sane reports whether the counts are plausible. Input must be positive, because every request has
// input.
func (u Usage) Sane() bool {
	for _, tokens := range []int{u.Input, u.Cached, u.Written, u.Output} {
		if tokens < 0 || tokens > mostTokens {
			return false
		}
	}
	return u.Turns >= 0 && u.Turns <= mostTokens && u.Input > 0 && u.Cached <= u.Input && u.Written <= u.Input
}
