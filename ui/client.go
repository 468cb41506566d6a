package ui

import (
	"context"

	"marvin/messages"
)

// Client is one side of a conversation; the other side keeps it alive.
//
// Send never blocks. Next returns all events since the last call, waiting for at
// least one, and io.EOF after [messages.Closed].
type Client interface {
	Send(messages.Op)
	Next(context.Context) ([]messages.Envelope, error)
}
