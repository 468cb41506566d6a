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

// The time limit of a call, its cancellation, and its move to the background.

type (
	// expired tells the worker to check whether the call has reached its time limit. The worker
	// gets this message only for a tool that [needsTimer] accepts.
	expired struct{ attempt int }
	// overdue says that a tool did not return after its deadline.
	overdue struct{ attempt int }
)

// execution tracks the runs of a call on the call's goroutine. A call can run twice, first in the
// sandbox and then outside it.
type execution struct {
	attempt int                     // the number of runs so far
	cancel  context.CancelCauseFunc // cancels the context of the present run; nil between runs
	begun   time.Time               // when the run got its slot, or zero
	away    chan struct{}           // closing it moves the call to the background; nil if the call cannot move
	allowed task.PausedClock        // counts the time spent waiting for the user
}

// begin counts a new run and returns its context. The run first waits for a slot.
func (e *execution) begin() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	e.cancel = cancel
	e.attempt++
	return ctx
}

// running reports whether the call runs or waits for its slot.
func (e *execution) running() bool { return e.cancel != nil }

func (e *execution) end(why error) {
	if e.cancel != nil {
		e.cancel(why)
	}
}

// reset prepares the call for another run.
func (e *execution) reset() {
	e.cancel(errInterrupted) // releases the context of the first run, which has ended
	e.cancel, e.begun = nil, time.Time{}
}

func (e *execution) isIn(attempt int) bool { return e.cancel != nil && attempt == e.attempt }

// mayLeave lets the call move to the background. It returns a channel that is closed when the call
// must do so.
func (e *execution) mayLeave() <-chan struct{} {
	e.away = make(chan struct{})
	return e.away
}

// leave moves a running call to the background, if the call can move.
func (e *execution) leave() {
	if e.away != nil && !e.begun.IsZero() {
		close(e.away)
		e.away = nil
	}
}

// remaining returns the time until a run reaches the given limit. Time spent waiting for the user
// does not count.
func (e *execution) remaining(limit time.Duration, now time.Time) time.Duration {
	return limit + e.allowed.SoFar(now) - now.Sub(e.begun)
}

// duration returns how long the call ran, or 0 if it did not run.
func (e *execution) duration(now time.Time) time.Duration {
	if e.begun.IsZero() {
		return 0
	}
	return now.Sub(e.begun)
}

// needsTimer reports whether the worker must enforce the tool's time limit. For all other tools,
// the context of the call enforces it.
func needsTimer(tool *tools.Tool) bool { return tool.Pool == tools.Agent }

func (w *worker) started(c actor.Context) {
	if w.done {
		return
	}
	w.begun = w.Config.Now()
	if w.attempt == 1 {
		c.Send(c.Parent(), messages.ToolStarted{Call: w.call.ID, Name: w.call.Name, Title: w.title, Command: w.decoded.FullCommand(), Paths: w.paths()})
	}
	if needsTimer(w.decoded.Tool) {
		task.After(c, w.decoded.Timeout, expired{attempt: w.attempt})
		return
	}
	task.After(c, w.decoded.Timeout+w.Config.Tuning.CancelGrace, overdue{attempt: w.attempt})
}

// endExpired cancels a call whose time is up.
func (w *worker) endExpired(c actor.Context, message expired) {
	if w.done || !w.isIn(message.attempt) {
		return
	}
	if left := w.remaining(w.decoded.Timeout, w.Config.Now()); left > 0 {
		task.After(c, max(left, task.MinWait), message)
		return
	}
	w.cancel(tools.ErrDeadline)
	task.After(c, w.Config.Tuning.CancelGrace, overdue(message))
}

// overdue abandons a tool that is still running after its deadline.
func (w *worker) overdue(c actor.Context, message overdue) {
	if !w.isIn(message.attempt) {
		return // the message is about an earlier run
	}
	w.report(c, callEnd{status: messages.TimedOut, text: fmt.Sprintf("Error: timed out after %s and did not stop; its effect is unknown.", w.decoded.Timeout)})
}
