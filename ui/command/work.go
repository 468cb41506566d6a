package command

import (
	"context"
	"slices"
	"time"
)

// work is something that a command has under way beside the front end's loop.
type work struct {
	name   string
	since  time.Time
	shell  bool // a command of the person's own
	cancel context.CancelFunc
	ended  chan struct{} // closed when all of it has stopped; its last function on the loop may still be pending
}

// beside does work beside the loop. The function it returns runs on the loop, unless the user
// cancelled meanwhile.
func (e *Env) beside(name string, do func(context.Context) func()) {
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
				then() // it may want to know whether the context had ended
			}
			cancel()
		}
	})
}

// Cancel ends what commands have under way. It reports whether there was anything.
func (e *Env) Cancel() bool {
	for _, job := range e.work {
		job.cancel()
	}
	return len(e.work) > 0
}

// Finish cancels running work and waits until it has stopped, within the limit. It is called after
// the loop ended: a command must not outlive the program, and its output belongs in the history.
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

// Working names what is under way, the oldest first. A line that is taken before it is
// empty may find things as they were.
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
