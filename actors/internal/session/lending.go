package session

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
)

// pausedTurn gives the running turn the time back in which people were asked.
type pausedTurn struct {
	allowed task.PausedClock
	pid     *actor.PID // the turn whose time is up but whose user is being asked
	before  time.Duration
}

// timeUp notes that the time of a turn is over. As long as a person is asked it is theirs.
func (l *pausedTurn) timeUp(pid *actor.PID, now time.Time) {
	l.pid, l.before = pid, l.allowed.SoFar(now)
}

// tell tells a turn whose time is over what of it was the person's, once they answered.
func (l *pausedTurn) tell(c actor.Context, asked bool, now func() time.Time) {
	l.allowed.Count(asked, now)
	if l.pid != nil && !asked {
		c.Send(l.pid, turn.ClockPaused{Before: l.before, All: l.allowed.Waited})
		l.pid = nil
	}
}
