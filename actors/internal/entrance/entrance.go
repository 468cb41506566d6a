// Package entrance passes the ops of front ends to a session.
package entrance

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/messages"
)

// Entrance passes ops to a session in the order of their arrival. It also tells the session when
// all windows are closed. A session runs on the goroutine of the sender, and there it handles
// everything in its mailbox, such as the mail of a thousand sub-agents. That work must not run on
// the goroutine on which a front end reads keys, so a front end sends its ops to an Entrance.
type Entrance struct{ session *actor.PID }

// New returns the entrance of a session.
func New(session *actor.PID) *Entrance { return &Entrance{session: session} }

// Receive implements [actor.Actor].
func (e *Entrance) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case messages.Op, mail.NoWindowOpen:
		c.Send(e.session, message)
	}
}
