package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/tools"
)

// How long a call may take that waits for others: the time in which a person is asked by it,
// or by one of its sub-agents, is theirs and does not count.

// expired says that the time of such a call may be over.
type expired struct{ attempt int }

// leastWait keeps the clock from running by itself.
const leastWait = 10 * time.Millisecond

// allowance is the time that a call spent waiting for a person.
type allowance struct {
	waited time.Duration
	since  time.Time // it waits now; zero if not
}

// patient says that the time of the call is counted here, and not by its context.
func (w *worker) patient() bool { return w.decoded.Tool.Pool == tools.Agent }

// asks notes whether somebody is being asked at present.
func (w *worker) asks() {
	open := len(w.asking.open)
	if w.crew != nil {
		open += len(w.crew.asks)
	}
	switch now := w.config.Now(); {
	case open > 0 && w.allowed.since.IsZero():
		w.allowed.since = now
	case open == 0 && !w.allowed.since.IsZero():
		w.allowed.waited += now.Sub(w.allowed.since)
		w.allowed.since = time.Time{}
	}
}

// expired ends a call that used its own time up.
func (w *worker) expired(c actor.Context, message expired) {
	if w.done || w.cancel == nil || message.attempt != w.attempt {
		return
	}
	now, waited := w.config.Now(), w.allowed.waited
	if !w.allowed.since.IsZero() {
		waited += now.Sub(w.allowed.since)
	}
	if left := w.decoded.Timeout + waited - now.Sub(w.begun); left > 0 {
		task.After(c, max(left, leastWait), message)
		return
	}
	w.cancel(tools.ErrDeadline)
	task.After(c, w.config.Tuning.CancelGrace, overdue(message))
}
