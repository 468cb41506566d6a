package session

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
)

// lending gives the running turn the time back in which people were asked.
type lending struct {
	allowed task.Allowance
	router  *actor.PID // the turn whose time is up but whose user is being asked
	before  time.Duration
}

// overtime notes that the time of a turn is over. As long as a person is asked it is theirs.
func (l *lending) overtime(router *actor.PID, now time.Time) {
	l.router, l.before = router, l.allowed.SoFar(now)
}

// lend tells a turn whose time is over what of it was the person's, once they answered.
func (l *lending) lend(c actor.Context, asked bool, now func() time.Time) {
	l.allowed.Count(asked, now)
	if l.router != nil && !asked {
		c.Send(l.router, turn.Lent{Before: l.before, All: l.allowed.Waited})
		l.router = nil
	}
}
