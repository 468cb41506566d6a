package call

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// How long a call runs, and how it is ended or moved to the background.

type (
	// expired says that the time of a call which waits for others may be over.
	expired struct{ attempt int }
	// overdue says that a tool did not return after its deadline.
	overdue struct{ attempt int }
)

// execution is the run of a call on its goroutine. A call can run twice: in the sandbox, and
// then outside of it.
type execution struct {
	attempt int                     // how often it ran
	cancel  context.CancelCauseFunc // ends its context; nil while it does not run
	begun   time.Time               // when it got its slot; zero before
	away    chan struct{}           // closed when it is wanted in the background; nil if it cannot go there
	allowed task.PausedClock        // what of the time was a person's
}

// begin makes the context of a run that waits for its slot.
func (e *execution) begin() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	e.cancel = cancel
	e.attempt++
	return ctx
}

// running says whether it waits for its slot or runs.
func (e *execution) running() bool { return e.cancel != nil }

// end tells the run, if there is one, that it shall end.
func (e *execution) end(why error) {
	if e.cancel != nil {
		e.cancel(why)
	}
}

// again makes a call that ended ready to run once more.
func (e *execution) again() {
	e.cancel(errInterrupted) // its context; nothing runs in it any more
	e.cancel, e.begun = nil, time.Time{}
}

// isIn says whether the call is in this run still.
func (e *execution) isIn(attempt int) bool { return e.cancel != nil && attempt == e.attempt }

// mayLeave is how the run hears that it is wanted in the background.
func (e *execution) mayLeave() <-chan struct{} {
	e.away = make(chan struct{})
	return e.away
}

// leave moves the running call out of its turn.
func (e *execution) leave() {
	if e.away != nil && !e.begun.IsZero() {
		close(e.away)
		e.away = nil
	}
}

// left is the time that is left of so much for the call itself.
func (e *execution) left(of time.Duration, now time.Time) time.Duration {
	return of + e.allowed.SoFar(now) - now.Sub(e.begun)
}

// took is how long it ran; 0 if it did not.
func (e *execution) took(now time.Time) time.Duration {
	if e.begun.IsZero() {
		return 0
	}
	return now.Sub(e.begun)
}

// patient says that the time of a call is counted here, and not by its context.
func patient(tool *tools.Tool) bool { return tool.Pool == tools.Agent }

func (w *worker) started(c actor.Context) {
	if w.done {
		return
	}
	w.begun = w.Config.Now()
	if w.attempt == 1 {
		c.Send(c.Parent(), messages.ToolStarted{Call: w.call.ID, Name: w.call.Name, Title: w.title, Command: w.decoded.Whole(), Paths: w.paths()})
	}
	if patient(w.decoded.Tool) {
		task.After(c, w.decoded.Timeout, expired{attempt: w.attempt})
		return
	}
	task.After(c, w.decoded.Timeout+w.Config.Tuning.CancelGrace, overdue{attempt: w.attempt})
}

// expired ends a call that used its own time up.
func (w *worker) expired(c actor.Context, message expired) {
	if w.done || !w.isIn(message.attempt) {
		return
	}
	if left := w.left(w.decoded.Timeout, w.Config.Now()); left > 0 {
		task.After(c, max(left, task.MinWait), message)
		return
	}
	w.cancel(tools.ErrDeadline)
	task.After(c, w.Config.Tuning.CancelGrace, overdue(message))
}

// overdue gives up on a tool that does not obey its deadline.
func (w *worker) overdue(c actor.Context, message overdue) {
	if !w.isIn(message.attempt) {
		return // the person is asked, or it runs again
	}
	w.report(c, closing{status: messages.TimedOut, text: fmt.Sprintf("Error: timed out after %s and did not stop; its effect is unknown.", w.decoded.Timeout)})
}
