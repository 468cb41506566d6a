package alarms

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/task"
)

type (
	// rang comes from the goroutine that waits.
	rang struct {
		incarnation context.Context
		lines       []string
		err         error
	}
	// listenAgain ends the pause after an error.
	listenAgain struct{ incarnation context.Context }
	// Fired delivers alarms to the conversations; heard answers from one that showed them to its
	// user. Without an answer the lines are delivered again: an unseen alarm stays on disk for the
	// next Marvin.
	Fired struct {
		Lines      []string
		AlarmClock *actor.PID
	}
	Acknowledged struct{}
	tellAgain    struct{ incarnation context.Context }
	// Stop ends the wait for alarms, and what rings outside. The answer is silent,
	// once neither touches a file any more, or their grace is over.
	Stop      struct{}
	graceOver struct{}
	Stopped   struct{}
)

// Deps is what the alarm clock works with.
type Deps struct {
	Alarms  conv.Alarms
	Environ []string
	Grace   time.Duration // how long a ring that began may take at the end
}

// New is the actor that waits for alarms.
func New(deps Deps) actor.Actor { return &alarmClock{deps: deps} }

// alarmClock waits for alarms as long as a person talks to this Marvin.
type alarmClock struct {
	deps   Deps
	ctx    context.Context
	cancel context.CancelFunc
	untold []string // alarms not shown yet

	listening bool       // a goroutine waits or rings
	closing   *actor.PID // who waits for silence
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
	case rang:
		b.rang(c, message)
	case Acknowledged:
		if b.untold != nil && b.closing == nil { // else it rings in the next Marvin
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
		return rang{incarnation: ctx, lines: lines, err: err}
	}, func(panicked *task.Panicked) any { return rang{incarnation: ctx, err: panicked} })
}

// afterTrouble is how long the alarm clock rests before it reads the alarms again.
const afterTrouble = 30 * time.Second

func (b *alarmClock) rang(c actor.Context, message rang) {
	if message.incarnation != b.ctx {
		return // of the one before a restart
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

// answerStop answers who waits for silence. An alarm is taken away before it rings, so that
// what was begun is waited for.
func (b *alarmClock) answerStop(c actor.Context) {
	if b.closing != nil && !b.listening {
		c.Send(b.closing, Stopped{})
	}
}

func (b *alarmClock) tell(c actor.Context) {
	c.Send(c.Parent(), Fired{Lines: b.untold, AlarmClock: c.Self()})
	task.After(c, afterTrouble, tellAgain{b.ctx})
}
