package actors

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
)

// How long a call may take that waits for others (worker_time.go), and a turn with a limit: the
// time in which a person is asked, also by a sub-agent, is theirs and does not count.

// leastWait keeps the clock from running by itself.
const leastWait = 10 * time.Millisecond

// allowance is the time that a call or a turn spent waiting for a person.
type allowance struct {
	waited time.Duration
	since  time.Time // it waits now; zero if not
}

// count notes whether the user is being asked.
func (a *allowance) count(asked bool, now func() time.Time) {
	switch {
	case asked && a.since.IsZero():
		a.since = now()
	case !asked && !a.since.IsZero():
		a.waited += now().Sub(a.since)
		a.since = time.Time{}
	}
}

// soFar is how long it waited.
func (a *allowance) soFar(now time.Time) time.Duration {
	if a.since.IsZero() {
		return a.waited
	}
	return a.waited + now.Sub(a.since)
}

// lent is how long a turn waited for people: until its time was over, and in all.
type lent struct{ before, all time.Duration }

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

// lent extends the turn by the time that questions took, or ends it.
func (r *router) lent(c actor.Context, message lent) {
	more := message.before - r.borrowed
	r.borrowed = message.all
	if more > 0 {
		task.After(c, max(more, leastWait), overtime{})
		return
	}
	r.stopAt(c, fmt.Sprintf("the time limit of %s is reached", r.conversation.Policy.Limits.Time))
}
