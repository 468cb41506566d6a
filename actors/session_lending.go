package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// lending gives the running turn the time back in which people were asked.
type lending struct {
	allowed allowance
	router  *actor.PID // the turn whose time is up but whose user is being asked
	before  time.Duration
}

// overtime notes that the time of a turn is over. As long as a person is asked it is theirs.
func (l *lending) overtime(router *actor.PID, now time.Time) {
	l.router, l.before = router, l.allowed.soFar(now)
}

// lend tells a turn whose time is over what of it was the person's, once they answered.
func (l *lending) lend(c actor.Context, asked bool, now func() time.Time) {
	l.allowed.count(asked, now)
	if l.router != nil && !asked {
		c.Send(l.router, lent{before: l.before, all: l.allowed.waited})
		l.router = nil
	}
}
