package ui

import (
	"context"

	"marvin/messages"
)

// Client is a front end's connection to a conversation.
//
// Send never blocks. Next returns all events since its last call. It waits until there is at least
// one event, and returns io.EOF after [messages.Closed].
type Client interface {
	Send(messages.Op)
	Next(context.Context) ([]messages.Envelope, error)
}
