package tools

import (
	"context"
	"time"

	"marvin/messages"
)

// Inquiry is a tool's question to the user, apart from consent. It has no effect by itself and
// waits for a limited time.
type Inquiry struct {
	Kind      messages.AskKind // a choice, a form or a plan
	Title     string
	Detail    string
	Questions []messages.Question
	Fields    []messages.Field
	Wait      time.Duration // until what is stated is taken; 0 means 10 min
}

// ThePerson is the place of calls that ask, which come in the order of their reply.
var ThePerson = Place{State: "the person", Write: true}

// DefaultWait is how long an [Inquiry] waits that does not say.
const DefaultWait = 10 * time.Minute

// Reply is what came of an [Inquiry]. The answer is always whole: see [messages.Asked].
type Reply struct {
	messages.Answer
	// Unanswered says why the default was used; "" if the user answered.
	Unanswered string
}

// Asker puts an [Inquiry] to the person and waits for the answer. The error is the cause
// of ctx.
type Asker func(ctx context.Context, inquiry Inquiry) (Reply, error)
