package command

import (
	"context"
	"slices"
	"time"
)

// work is a task that a command runs outside the front end's loop.
type work struct {
	name   string
	since  time.Time
	shell  bool // a shell command that the user ran
	cancel context.CancelFunc
	ended  chan struct{} // closed when the work has stopped, possibly before the function that it returned runs
}

// runOutside runs work outside the loop. The returned function runs on the loop unless the user has
// canceled the work.
func (e *Env) runOutside(name string, do func(context.Context) func()) {
	e.start(&work{name: name}, do)
}

func (e *Env) start(job *work, do func(context.Context) func()) {
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
		then := do(ctx)
		return func() {
			delete(e.work, number)
			if then != nil {
				then() // called before cancel, because the function may check the context
			}
			cancel()
		}
	})
}

// Cancel cancels all running work of commands, and reports whether any work was running.
func (e *Env) Cancel() bool {
	for _, job := range e.work {
		job.cancel()
	}
	return len(e.work) > 0
}

// Finish cancels the running work and waits until it has stopped, for at most the time limit. It is
// called after the loop has ended, because no command may outlive the program. The output of a
// canceled command also belongs in the history.
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

// Working returns the names of the running tasks, oldest first. While a task runs, a new line may
// still find the old state of the conversation.
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
