package alarms

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/task"
)

type (
	// alarmsDue is the outcome of the task that waits for alarms: one line for each due alarm, or
	// an error.
	alarmsDue struct {
		incarnation context.Context
		lines       []string
		err         error
	}
	// listenAgain ends the pause after an error.
	listenAgain struct{ incarnation context.Context }
	// Fired reports alarms, or an error, to all conversations. The alarm clock repeats alarms until a
	// session with a user replies with [Acknowledged]. Alarms that no user has seen stay on disk for
	// the next Marvin process.
	Fired struct {
		Lines      []string
		AlarmClock *actor.PID
	}
	Acknowledged struct{}
	tellAgain    struct{ incarnation context.Context }
	// Stop cancels the task that waits for alarms. The answer, Stopped, is sent when the task has
	// ended or the grace period is over.
	Stop      struct{}
	graceOver struct{}
	Stopped   struct{}
)

// Deps are the dependencies of the alarm clock.
type Deps struct {
	Alarms  conv.Alarms
	Environ []string
	Grace   time.Duration // how long Stop waits for the task to end
}

// New returns the actor that waits for alarms.
func New(deps Deps) actor.Actor { return &alarmClock{deps: deps} }

// alarmClock waits for alarms and sends them to its parent.
type alarmClock struct {
	deps   Deps
	ctx    context.Context
	cancel context.CancelFunc
	untold []string // alarms not shown yet

	listening bool       // a task waits for alarms, or an alarm is ringing
	closing   *actor.PID // the caller that waits for Stopped
}

func (b *alarmClock) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case Stop:
		b.closing = c.Sender()
		b.cancel()
		task.After(c, b.deps.Grace, graceOver{})
		b.answerStop(c)
	case graceOver:
		b.listening = false
		b.answerStop(c)
	case *actor.Started:
		b.ctx, b.cancel = context.WithCancel(context.Background())
		b.listen(c)
	case alarmsDue:
		b.reportRing(c, message)
	case Acknowledged:
		if b.untold != nil && b.closing == nil { // after Stop, later alarms go to the next process
			b.untold = nil
			b.listen(c)
		}
	case tellAgain:
		if message.incarnation == b.ctx && b.untold != nil {
			b.tell(c)
		}
	case listenAgain:
		if message.incarnation == b.ctx && b.closing == nil {
			b.listen(c)
		}
	case *actor.Stopping, *actor.Restarting:
		b.cancel()
	}
}

func (b *alarmClock) listen(c actor.Context) {
	ctx, deps := b.ctx, b.deps
	b.listening = true
	task.Do(c, func() any {
		lines, err := deps.Alarms.Next(ctx, deps.Environ)
		return alarmsDue{incarnation: ctx, lines: lines, err: err}
	}, func(panicked *task.Panicked) any { return alarmsDue{incarnation: ctx, err: panicked} })
}

// afterTrouble is the pause before a failed read or an unacknowledged delivery is retried.
const afterTrouble = 30 * time.Second

func (b *alarmClock) reportRing(c actor.Context, message alarmsDue) {
	if message.incarnation != b.ctx {
		return // the message is from before a restart
	}
	b.listening = false
	if b.closing != nil {
		b.answerStop(c)
		return
	}
	if len(message.lines) > 0 {
		b.untold = message.lines
		b.tell(c)
		return
	}
	if message.err != nil {
		c.Send(c.Parent(), Fired{Lines: []string{"Alarms: " + message.err.Error()}})
		task.After(c, afterTrouble, listenAgain{b.ctx})
		return
	}
	b.listen(c)
}

// answerStop replies to [Stop] when the task has ended or the grace period is over. A task that
// rings an alarm must be able to finish, because the alarm's file has already been removed.
func (b *alarmClock) answerStop(c actor.Context) {
	if b.closing != nil && !b.listening {
		c.Send(b.closing, Stopped{})
	}
}

func (b *alarmClock) tell(c actor.Context) {
	c.Send(c.Parent(), Fired{Lines: b.untold, AlarmClock: c.Self()})
	task.After(c, afterTrouble, tellAgain{b.ctx})
}
