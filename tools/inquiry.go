package tools

import (
	"context"
	"time"

	"marvin/messages"
)

// Inquiry is a tool's question to the user. It does not request approval, and the answer does not
// change anything by itself.
type Inquiry struct {
	Kind      messages.AskKind // a choice, a form or a plan
	Title     string
	Detail    string
	Questions []messages.Question
	Fields    []messages.Field
	Wait      time.Duration // how long to wait for the user's answer; 0 means [DefaultWait]
}

// ThePerson is the [Place] of every call that asks the user. Such calls in a reply therefore run
// one after the other.
var ThePerson = Place{State: "the person", Write: true}

// DefaultWait is the time limit for an answer if [Inquiry.Wait] is 0.
const DefaultWait = 10 * time.Minute

// Reply is the answer to an [Inquiry]. It contains the default for each part that the user omitted.
type Reply struct {
	messages.Answer
	// Unanswered is the reason why the default was used, or "" if the user answered.
	Unanswered string
}

// Asker asks the user an [Inquiry] and waits for the answer. When ctx ends, an Asker returns
// context.Cause(ctx).
type Asker func(ctx context.Context, inquiry Inquiry) (Reply, error)
