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

// This file handles a call's time limit, cancellation, and move to the background.

type (
	// expired tells the worker to check whether the call has reached its time limit. The worker
	// gets this message only for a tool that [needsTimer] accepts.
	expired struct{ attempt int }
	// overdue says that the grace period after a tool's time limit is over.
	overdue struct{ attempt int }
)

// execution tracks the runs of a call. A second run may follow, for example outside the sandbox.
type execution struct {
	attempt int                     // the number of runs so far
	cancel  context.CancelCauseFunc // cancels the context of the current run; nil between runs
	begun   time.Time               // the time at which the run got its slot; zero before that
	away    chan struct{}           // closed by execution.leave; nil if the call cannot move
	allowed task.PausedClock        // counts the time spent waiting for the user
}

// begin prepares a new run and returns the context of the run. The run then waits for a slot.
func (e *execution) begin() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	e.cancel = cancel
	e.attempt++
	return ctx
}

// running is true while a run is in progress or waits for its slot.
func (e *execution) running() bool { return e.cancel != nil }

func (e *execution) end(why error) {
	if e.cancel != nil {
		e.cancel(why)
	}
}

// reset prepares the call for another run.
func (e *execution) reset() {
	e.cancel(errInterrupted) // the run has ended, but its context must be released
	e.cancel, e.begun = nil, time.Time{}
}

func (e *execution) isIn(attempt int) bool { return e.cancel != nil && attempt == e.attempt }

// mayLeave allows the call to move to the background. The returned channel is closed when the move
// is requested.
func (e *execution) mayLeave() <-chan struct{} {
	e.away = make(chan struct{})
	return e.away
}

// leave tells a running call to continue in the background, if the call allows it.
func (e *execution) leave() {
	if e.away != nil && !e.begun.IsZero() {
		close(e.away)
		e.away = nil
	}
}

// remaining returns how much of a run's time limit is left. Time spent waiting for the user does
// not count.
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

// needsTimer reports whether the worker enforces the tool's time limit. Otherwise the context of
// the call enforces the limit.
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

// overdue responds to the end of the grace period. It ends the call with [messages.TimedOut].
func (w *worker) overdue(c actor.Context, message overdue) {
	if !w.isIn(message.attempt) {
		return // the message is about an earlier run
	}
	w.report(c, callEnd{status: messages.TimedOut, text: fmt.Sprintf("Error: timed out after %s and did not stop; its effect is unknown.", w.decoded.Timeout)})
}
