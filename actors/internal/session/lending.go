package session

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
)

// pausedTurn measures how long the running turn waits for the user. This wait does not count toward
// the time limit of the turn.
type pausedTurn struct {
	allowed task.PausedClock
	pid     *actor.PID // the turn that reached its time limit while a question was open
	before  time.Duration
}

// timeUp records that a turn has reached its time limit. The turn continues while a question is
// open.
func (l *pausedTurn) timeUp(pid *actor.PID, now time.Time) {
	l.pid, l.before = pid, l.allowed.SoFar(now)
}

// tell activates the clock if a question is open. Otherwise, it stops the clock, and sends the
// waiting time to a turn that has reached its time limit.
func (l *pausedTurn) tell(c actor.Context, asked bool, now func() time.Time) {
	l.allowed.Count(asked, now)
	if l.pid != nil && !asked {
		c.Send(l.pid, turn.ClockPaused{Before: l.before, All: l.allowed.Waited})
		l.pid = nil
	}
}
