// Package entrance takes the ops of front ends to a session.
package entrance

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/messages"
)

// Entrance passes ops on to a session, in their order, and that its windows closed. A session runs on the goroutine of its
// sender and handles there whatever else is in its mailbox, such as the mail of a thousand
// sub-agents; a front end must not do that work on the goroutine that reads keys.
type Entrance struct{ session *actor.PID }

// New makes the entrance of a session.
func New(session *actor.PID) *Entrance { return &Entrance{session: session} }

// Receive implements [actor.Actor].
func (e *Entrance) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case messages.Op, mail.LeftAlone:
		c.Send(e.session, message)
	}
}
