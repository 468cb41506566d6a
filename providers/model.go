package providers

import (
	"context"
	"encoding/json"
	"time"

	"marvin/messages"
)

// A Model gives one answer at a time. Respond blocks until the answer is
// complete, the context ends or something fails, and never panics on what a
// server sends. While it runs it calls emit, from the calling goroutine only,
// for every piece of the answer. On an error the Reply still holds what came.
//
// Close gives back connections and processes without waiting for them. It may be
// called once, also while Respond runs.
type Model interface {
	Respond(ctx context.Context, question Question, emit func(Part)) (Reply, error)
	Close() error
}

// Question is everything that one request says.
//
// Within a turn only Messages grows, at its end: providers cache by prefix, so a
// Model must encode equal questions to equal bytes.
type Question struct {
	System   string
	Messages []messages.Message
	Tools    []ToolSpec // none: the model may not call tools
	Effort   Effort     // how long it thinks; empty is as it does by itself
}

// ToolSpec is a tool as a model sees it. Schema is a JSON schema of type object.
type ToolSpec struct {
	Name   string          `json:"name"`
	Doc    string          `json:"doc,omitempty"`
	Schema json.RawMessage `json:"schema,omitempty"`
}

// Part is a piece of an answer as it arrives.
type Part struct {
	Kind PartKind
	Text string
	Wait time.Duration // of a NoticePart: how long until the model is asked again
	Size int           // of a CallingPart: bytes of arguments that came with it
	Kept int           // of a ThinkingPart without text: bytes that are kept with the answer, but not shown
}

// PartKind tells the pieces of an answer apart.
type PartKind uint8

// The kinds of part. Notice is a message for the user and not part of the answer; a Notice without
// text only says that the delay is not caused by the model. Calling marks progress inside a tool
// call that is still being written; its Text is the tool's name once it is known. Calls themselves
// come with the [Reply]. Anew is a Notice that the answer since the last round of calls broke off
// and starts over.
const (
	TextPart PartKind = iota
	ThinkingPart
	CallingPart
	NoticePart
	AnewPart
)

// Reply is a finished answer, or as much of it as came before an error.
type Reply struct {
	Text string
	// Thinking is what the wire wants back with the answer, and what can be shown of it; nil
	// where it has none, and the pieces that were emitted are all there is.
	Thinking []messages.Thought
	Calls    []messages.ToolCall // as the model wrote them: ids may be missing or repeated
	Finish   Finish
	Model    string // as the server names it; empty if it does not say
	Usage    Usage
	// Window is how many tokens a question and its answer may have together, Widest how
	// many they could if more were asked for; 0 where the server does not tell.
	Window, Widest int
	// Notices are for people: the server cut the prompt, a field was repaired.
	Notices []string
	// Torn means that a lost piece may have belonged to a call, so no call may run.
	Torn bool
	// Rest waits for usage that had not come with the answer; it is nil if nothing more can
	// come. It must be called once, from any goroutine, and returns within 15 s, or when
	// the context of the request ends, with the zero value if there was none.
	Rest func() Usage
	// Undo is what to undo or redo when the turn has ended, after the user agrees; nil for nothing.
	// Only the built-in assistant sets it.
	Undo *messages.Undo
}

// Finish is why a model stopped.
type Finish string

// Why a model stopped. Cut means that the stream ended without saying.
const (
	Stopped  Finish = "stop"
	Called   Finish = "tool_calls"
	Length   Finish = "length"
	Filtered Finish = "content_filter"
	Cut      Finish = ""
)

// Usage counts the tokens of one round trip, or the sum of Turns of them: an SDK
// with its own tool loop asks several times for one Reply. Known is false when the
// server did not report them; they may be Estimated then.
type Usage struct {
	Input     int
	Cached    int // part of Input that was read from the provider's cache
	Written   int // part of Input that was written into it, where that has a price
	Output    int
	Known     bool
	Estimated bool
	Turns     int // 0 means 1
}

// mostTokens is more than any request has: the largest windows have ten million tokens.
const mostTokens = 100_000_000

// Sane reports whether numbers that a server told can be those of a request. Costs and limits
// build on them.
func (u Usage) Sane() bool {
	for _, tokens := range []int{u.Input, u.Cached, u.Written, u.Output} {
		if tokens < 0 || tokens > mostTokens {
			return false
		}
	}
	return u.Turns >= 0 && u.Turns <= mostTokens && (u.Input > 0 || u.Output > 0) && u.Cached <= u.Input && u.Written <= u.Input
}
