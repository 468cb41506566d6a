package command

import (
	"context"
	"slices"
	"time"
)

// work describes a task that a command runs outside the front end's loop.
type work struct {
	name   string
	since  time.Time
	shell  bool // a shell command that the user ran
	cancel context.CancelFunc
	ended  chan struct{} // closed when the task returns; the loop calls the task's result later
}

// runOutside runs a task outside the loop. If the task returns a function, the loop calls that
// function, even if the user has canceled the task.
func (e *Env) runOutside(name string, task func(context.Context) func()) {
	e.start(&work{name: name}, task)
}

func (e *Env) start(job *work, task func(context.Context) func()) {
	ctx, cancel := context.WithCancel(context.Background())
	job.since, job.cancel, job.ended = e.Now(), cancel, make(chan struct{})
	e.lastWork++
	number := e.lastWork
	if e.work == nil {
		e.work = map[int]*work{}
	}
	e.work[number] = job
	e.Front.Go(func() func() {
		defer close(job.ended)
		then := task(ctx)
		return func() {
			delete(e.work, number)
			if then != nil {
				then() // before cancel(), because then() can check ctx.Err()
			}
			cancel()
		}
	})
}

// Cancel cancels all running tasks, and reports whether there were any.
func (e *Env) Cancel() bool {
	for _, job := range e.work {
		job.cancel()
	}
	return len(e.work) > 0
}

// Finish cancels the running tasks and waits until they end or the time limit expires. It is called
// after the loop has ended. Canceled commands get time to stop, and their output is added to the
// history.
func (e *Env) Finish(limit time.Duration) {
	e.Cancel()
	over := time.After(limit)
	for _, job := range e.work {
		select {
		case <-job.ended:
		case <-over:
			return
		}
	}
}

// Working returns the name of the unconfirmed request, if any, followed by the names of the running
// tasks, oldest first. If the result is not empty, the state of the conversation can be outdated.
func (e *Env) Working() []string {
	var names []string
	if e.awaits != "" {
		names = append(names, e.awaits)
	}
	for _, number := range e.order() {
		names = append(names, e.work[number].name)
	}
	return names
}

func (e *Env) order() []int {
	numbers := make([]int, 0, len(e.work))
	for number := range e.work {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	return numbers
}
