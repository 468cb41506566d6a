package ui

import (
	"context"

	"marvin/messages"
)

// Client is a front end's connection to a conversation.
//
// Send never blocks. Next blocks until there is an event, and returns all events since the previous
// call. After [messages.Closed], Next returns io.EOF.
type Client interface {
	Send(messages.Op)
	Next(context.Context) ([]messages.Envelope, error)
}
