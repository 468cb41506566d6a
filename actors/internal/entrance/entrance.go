// Package entrance passes ops from front ends to a session.
package entrance

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/messages"
)

// Entrance forwards ops to a session in the order of their arrival, and tells the session when all
// windows are closed. A front end that must not block sends its ops to an Entrance, because an idle
// session handles messages on the sender's goroutine.
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
