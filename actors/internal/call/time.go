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
	// expired tells the worker to check whether the time limit of a call is over. It is sent only
	// for a tool that [needsTimer] accepts.
	expired struct{ attempt int }
	// overdue says that a tool did not return after its deadline.
	overdue struct{ attempt int }
)

// execution is the run of a call on its goroutine. A call can run twice: in the sandbox, and then
// outside of it.
type execution struct {
	attempt int                     // the number of runs so far
	cancel  context.CancelCauseFunc // cancels the context of the present run; nil between runs
	begun   time.Time               // when it got its slot; zero before
	away    chan struct{}           // closing it moves the call to the background; nil if the call cannot move
	allowed task.PausedClock        // the time that it spent waiting for the user
}

// begin starts a run, which first waits for a slot, and returns the context of the run.
func (e *execution) begin() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	e.cancel = cancel
	e.attempt++
	return ctx
}

// running is true while the call waits for its slot or runs.
func (e *execution) running() bool { return e.cancel != nil }

func (e *execution) end(why error) {
	if e.cancel != nil {
		e.cancel(why)
	}
}

// reset prepares an ended call for another run.
func (e *execution) reset() {
	e.cancel(errInterrupted) // releases the context of the first run, which has ended
	e.cancel, e.begun = nil, time.Time{}
}

func (e *execution) isIn(attempt int) bool { return e.cancel != nil && attempt == e.attempt }

// mayLeave returns the channel that is closed when the run must move to the background.
func (e *execution) mayLeave() <-chan struct{} {
	e.away = make(chan struct{})
	return e.away
}

// leave moves the running call to the background.
func (e *execution) leave() {
	if e.away != nil && !e.begun.IsZero() {
		close(e.away)
		e.away = nil
	}
}

// remaining returns how much of the time limit remains. Waiting for the user does not count.
func (e *execution) remaining(of time.Duration, now time.Time) time.Duration {
	return of + e.allowed.SoFar(now) - now.Sub(e.begun)
}

// duration returns how long the call ran, or 0 if it did not run.
func (e *execution) duration(now time.Time) time.Duration {
	if e.begun.IsZero() {
		return 0
	}
	return now.Sub(e.begun)
}

// needsTimer is true if the worker must enforce the tool's time limit. For other tools, the context of
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

// endExpired ends a call whose time is over.
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
		return // the user is being asked, or the call runs again
	}
	w.report(c, callEnd{status: messages.TimedOut, text: fmt.Sprintf("Error: timed out after %s and did not stop; its effect is unknown.", w.decoded.Timeout)})
}
