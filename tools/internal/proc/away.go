package proc

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// The code in this file lets a child continue after [Run] has returned. Marvin still reads the
// child's output, and the caller waits for the child to end.

// Away is the error that [Run] returns if Command.Away is closed before the child ends. The child
// keeps running, and the caller must call Wait.
type Away struct {
	Identity
	cancel context.CancelCauseFunc // stops the child and its descendants
	ended  <-chan outcome
}

func (*Away) Error() string { return "the command continues in the background" }

// Wait waits for the child to end, and returns how the child ended. It must be called only once.
func (a *Away) Wait() Ending {
	out := <-a.ended
	end := Ending{ExitCode: out.result.ExitCode, Signal: out.result.Signal, Left: out.result.Left}
	if out.err != nil && end.ExitCode == 0 {
		end.ExitCode = 1
	}
	return end
}

// errEnded is the cancellation cause for a child that [Away.End] stops.
var errEnded = errors.New("the caller ended the command")

// End stops the child and its descendants, and returns the result of [Away.Wait]. Unlike
// [Identity.Stop], it does not look for the mark in the child's environment, which is empty during
// execve.
func (a *Away) End() Ending {
	a.cancel(errEnded)
	return a.Wait()
}

type outcome struct {
	result Result
	err    error
}

// A leaving contains the state of a command that has an Away channel.
type leaving struct {
	begun chan *running // receives the running child
	gone  atomic.Bool   // the call has returned, so no more progress is reported
}

// runAway can return before the command ends. A separate goroutine starts the child and waits for
// its exit, because the child dies with the thread that started it.
func runAway(ctx context.Context, command Command) (Result, error) {
	leaving := &leaving{begun: make(chan *running, 1)}
	command.leaving = leaving
	run, err := prepare(command)
	if err != nil {
		return Result{}, err
	}
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	ended := make(chan outcome, 1)
	go func() {
		defer cancel(nil)
		defer func() {
			if broken := recover(); broken != nil {
				ended <- outcome{err: fmt.Errorf("run the child: %v", broken)}
			}
		}()
		result, err := run.run(own)
		ended <- outcome{result, err}
	}()
	var away <-chan struct{} // nil until there is a child
	for {
		select {
		case out := <-ended:
			return out.result, out.err
		case run = <-leaving.begun:
			away = command.Away
		case <-ctx.Done():
			cancel(context.Cause(ctx))
			out := <-ended
			return out.result, out.err
		case <-away:
			leaving.gone.Store(true)
			so := Result{Stdout: run.stdout.output(), Stderr: run.stderr.output()}
			return so, &Away{Identity: identify(run.session.leader, run.session.mark), cancel: cancel, ended: ended}
		}
	}
}

func (r *running) reportProgress() {
	if r.Progress == nil || r.leaving != nil && r.leaving.gone.Load() {
		return
	}
	line := ""
	if stream := r.last.Load(); stream != nil {
		line = stream.lastLine()
	}
	r.Progress(line)
}
