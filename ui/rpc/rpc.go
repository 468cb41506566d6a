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
	Marvin string // the version of the program
	// Engine creates the engine that runs lines.
	Engine func(command.Front) *command.Engine
	// Picture checks a picture in a prompt, and scales the picture down if it is too large.
	Picture func(messages.Picture) (messages.Picture, error)
	// Grace limits the wait for the end of the conversation, because a client that does not read
	// never receives the last event. 0 means 5 s. This suffices for a command, which may run for 3
	// s after TERM.
	Grace time.Duration
	// First is the first prompt; "" for none.
	First string
	// If Images is set, a separate line with the pictures of an event precedes the event.
	Images bool
	// LineRefusal is the error that answers requests of the type "line". If the error is "", such
	// requests are accepted.
	LineRefusal string
	// FromMarvin is true if the client is another Marvin of the same user. The prompts of such a
	// client name the author of each part.
	FromMarvin bool

	out    *jsonl.Writer
	broken error // the error that broke the output
	talk   conversation.State
	engine *command.Engine
	typing string // the id of the current line
	work   beside.Runner
	done   chan func()   // functions that background work has handed over to the loop
	ended  chan struct{} // closed when the loop no longer reads from the channel done
}
