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

// Server is one conversation with one client.
type Server struct {
	Client ui.Client
	In     io.Reader
	Out    io.Writer
	Marvin string // the version of the program
	// Engine makes what carries lines out.
	Engine func(command.Front) *command.Engine
	// Picture looks at a picture that came with a prompt, and makes it small enough.
	Picture func(messages.Picture) (messages.Picture, error)
	// Grace is how long the conversation may take to end, which it cannot tell to a
	// client that does not read. 5 s if zero: a command that ignores TERM has 3.
	Grace time.Duration
	// First is a prompt to begin with; "" for none.
	First string
	// Images says that the pictures of an event go in a line before it.
	Images bool
	// Lineless is why requests of the type line are refused; "" if they are not.
	Lineless string
	// Marvins says that the client is a Marvin of the same user, whose prompts say who wrote
	// what of them.
	Marvins bool

	out    *jsonl.Writer
	broken error // why nothing can be written any more
	talk   conversation.State
	engine *command.Engine
	typing string // the id of the line that is being taken
	work   beside.Work
	done   chan func()   // what work beside the loop leaves to do on it
	ended  chan struct{} // closed when done is no longer read
}
