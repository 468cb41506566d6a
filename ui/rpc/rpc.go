package rpc

import (
	"io"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/internal/beside"
	"marvin/ui/jsonl"
)

// Server serves one conversation to one client.
type Server struct {
	Client ui.Client
	In     io.Reader
	Out    io.Writer
	Marvin string // Marvin's version
	// Engine creates the engine that handles the text of "line" requests.
	Engine func(command.Front) *command.Engine
	// Picture validates a prompt's picture, and returns a smaller version if the picture is too
	// large.
	Picture func(messages.Picture) (messages.Picture, error)
	// Grace limits how long Run waits for the conversation to close. Without a limit, a client that
	// stops reading could make Run wait forever. 0 means 5 s, because a command can need 3 s to end
	// after SIGTERM.
	Grace time.Duration
	// First is the first prompt, or "" for none.
	First string
	// If Images is true, a separate line with an event's pictures precedes the event.
	Images bool
	// LineRefusal is the error reported for requests of the type "line". If it is "", such requests
	// are accepted.
	LineRefusal string
	// FromMarvin is true if the client is another Marvin process of the same user. Such a client
	// can name the author of each part of a prompt.
	FromMarvin bool

	out    *jsonl.Writer
	broken error // the error that broke the output
	talk   conversation.State
	engine *command.Engine
	typing string // the id of the current line
	work   beside.Runner
	done   chan func()   // functions that background work passes to the loop
	ended  chan struct{} // closed after the loop has ended
}
