// Package task is the only package in which actors start goroutines and timers.
package task

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Panicked is the error of work that panicked, with the stack for the log.
type Panicked struct {
	Reason any
	Stack  []byte
}

func (p *Panicked) Error() string { return fmt.Sprintf("crashed: %v", p.Reason) }

// Do runs its first function on a goroutine of its own and mails the result to the calling actor.
// If that function panics, Do mails the result of the second function instead.
func Do(c actor.Context, work func() any, crashed func(*Panicked) any) {
	self, root := c.Self(), c.ActorSystem().Root
	go func() {
		var outcome any
		defer func() {
			if reason := recover(); reason != nil {
				outcome = crashed(&Panicked{Reason: reason, Stack: debug.Stack()})
			}
			root.Send(self, outcome)
		}()
		outcome = work()
	}()
}

// After starts a timer: once d has passed, the calling actor gets msg as mail. The returned
// function stops the timer.
func After(c actor.Context, d time.Duration, msg any) (stop func()) {
	// The timer gets a new PID. The PID of the context refers to the whole actor: a timer of
	// minutes would keep the actor in memory long after the actor has ended.
	self, system := actor.NewPID(c.Self().Address, c.Self().Id), c.ActorSystem()
	timer := time.AfterFunc(d, func() {
		if _, alive := system.ProcessRegistry.GetLocal(self.Id); alive { // otherwise the actor has ended
			system.Root.Send(self, msg)
		}
	})
	return func() { timer.Stop() }
}

// ChildGone is a child's obituary as ordinary mail.
type ChildGone struct{ Who *actor.PID }

// MailTerminated sends the end of a child to the actor as ordinary mail. A system message would
// overtake the child's last messages (50 of 50 runs with a busy parent).
func MailTerminated(c actor.Context, terminated *actor.Terminated) {
	c.Send(c.Self(), ChildGone{Who: terminated.Who})
}
