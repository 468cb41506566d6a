// Package entrance passes ops from front ends to a session.
package entrance

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/messages"
)

// Entrance forwards ops to a session in the order of their arrival, and tells the session when all
// windows are closed. An idle session runs on the goroutine of the sender, and may have to handle
// the mail of a thousand sub-agents. So a front end sends its ops to an Entrance, and never runs a
// session on the goroutine that reads the keyboard.
type Entrance struct{ session *actor.PID }

// New returns an entrance to a session.
func New(session *actor.PID) *Entrance { return &Entrance{session: session} }

// Receive implements [actor.Actor].
func (e *Entrance) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case messages.Op, mail.NoWindowOpen:
		c.Send(e.session, message)
	}
}
