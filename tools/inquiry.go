package tools

import (
	"context"
	"time"

	"marvin/messages"
)

// Inquiry is a tool's question to the user that is not a request for approval. It changes nothing
// by itself, and its wait is limited.
type Inquiry struct {
	Kind      messages.AskKind // a choice, a form or a plan
	Title     string
	Detail    string
	Questions []messages.Question
	Fields    []messages.Field
	Wait      time.Duration // time until the default is used; 0 means 10 min
}

// ThePerson is the [Place] of calls that ask the user, so that the calls of one reply ask in order.
var ThePerson = Place{State: "the person", Write: true}

// DefaultWait is how long an [Inquiry] waits if it sets no time.
const DefaultWait = 10 * time.Minute

// Reply is the answer to an [Inquiry]. It is always complete: see [messages.Asked].
type Reply struct {
	messages.Answer
	// Unanswered says why the default was used; "" if the user answered.
	Unanswered string
}

// Asker asks the user an [Inquiry] and waits for the answer. When ctx ends, an Asker returns
// context.Cause(ctx).
type Asker func(ctx context.Context, inquiry Inquiry) (Reply, error)
