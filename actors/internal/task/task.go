// Package task is the only door through which actors touch goroutines and time.
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

// Do runs work on its own goroutine and mails exactly one message to the calling
// actor: what work returned, or what crashed makes of its panic.
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

// After mails msg to the calling actor once d has passed, unless stop comes first.
func After(c actor.Context, d time.Duration, msg any) (stop func()) {
	// A PID of its own: the one of the context caches its process, and with it the
	// whole actor, which a timer of minutes would keep alive long after its end.
	self, system := actor.NewPID(c.Self().Address, c.Self().Id), c.ActorSystem()
	timer := time.AfterFunc(d, func() {
		if _, alive := system.ProcessRegistry.GetLocal(self.Id); alive { // else it would be a dead letter
			system.Root.Send(self, msg)
		}
	})
	return func() { timer.Stop() }
}

// ChildGone is a child's obituary as ordinary mail.
type ChildGone struct{ Who *actor.PID }

// MailTerminated re-mails a Terminated, which as a system message would overtake what the
// child said before it died (50 of 50 runs with a busy parent).
func MailTerminated(c actor.Context, terminated *actor.Terminated) {
	c.Send(c.Self(), ChildGone{Who: terminated.Who})
}
