package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/providers"
)

// What a provider is told, and what it says to the router that asked.
type (
	// ask puts a question; the answer is any number of part, then one answered.
	ask struct{ question providers.Question }
	// drop cancels the question of the sender, if it is the one under way.
	drop struct{}

	part     struct{ providers.Part }
	answered struct {
		reply providers.Reply
		err   error
	}

	// connected, arrived and ended come from the goroutine of the request.
	connected struct{ model providers.Model }
	arrived   struct {
		request int
		part    providers.Part
	}
	ended struct {
		request int
		reply   providers.Reply
		err     error
	}
	// checkSilence and giveUp are the provider's own clocks.
	checkSilence struct{ request int }
	giveUp       struct{ request int }
)

// replaceMe is the reason of a failure that asks the parent for a fresh incarnation.
type replaceMe struct{ err error }

func (r replaceMe) Error() string { return r.err.Error() }

// errDropped is the cause of a request whose asker no longer wants it.
var errDropped = errors.New("cancelled")

// provider holds one model and the request in flight. It is as long-lived as the
// choice of the model; connections are kept from turn to turn.
type provider struct {
	config  *Config
	choice  Choice
	silence time.Duration

	model   providers.Model
	request int // counts, so that mail of an earlier request is known as such
	asker   *actor.PID
	cancel  context.CancelCauseFunc
	last    time.Time // of the last sign of life
}

func (p *provider) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case ask:
		p.ask(c, message)
	case drop:
		p.drop(c)
	case connected:
		p.model = message.model
	case arrived:
		p.arrived(c, message)
	case ended:
		p.ended(c, message)
	case checkSilence:
		p.checkSilence(c, message)
	case giveUp:
		p.giveUp(c, message)
	case *actor.Restarting, *actor.Stopping:
		p.close()
	}
}

func (p *provider) ask(c actor.Context, wish ask) {
	if p.asker != nil {
		c.Send(c.Sender(), answered{err: errors.New("the model is still answering an earlier question")})
		return
	}
	p.request++
	p.asker = c.Sender()
	p.last = p.config.Now()
	ctx, cancel := context.WithCancelCause(context.Background())
	p.cancel = cancel
	request, model, self, root := p.request, p.model, c.Self(), c.ActorSystem().Root
	task.Do(c, func() any {
		if model == nil {
			var err error
			if model, err = p.config.Connect(p.choice); err != nil {
				return ended{request: request, err: err}
			}
			root.Send(self, connected{model: model})
		}
		reply, err := model.Respond(ctx, wish.question, func(part providers.Part) {
			root.Send(self, arrived{request: request, part: part})
		})
		return ended{request: request, reply: reply, err: err}
	}, func(panicked *task.Panicked) any {
		p.config.Log.Error("provider panicked", "reason", fmt.Sprint(panicked.Reason), "stack", string(panicked.Stack))
		return ended{request: request, err: panicked}
	})
	task.After(c, p.silence, checkSilence{request: request})
}

func (p *provider) drop(c actor.Context) {
	if p.asker == nil || !p.asker.Equal(c.Sender()) {
		return
	}
	p.stop(c, errDropped)
}

// stop ends the request under way with a cause. Should the client not let go, it
// is replaced: nobody may wait for a request that cannot end.
func (p *provider) stop(c actor.Context, cause error) {
	p.cancel(cause)
	task.After(c, p.config.Tuning.StopGrace, giveUp{request: p.request})
}

func (p *provider) arrived(c actor.Context, message arrived) {
	if message.request != p.request || p.asker == nil {
		return
	}
	p.last = p.config.Now()
	c.Send(p.asker, part{message.part})
}

func (p *provider) ended(c actor.Context, message ended) {
	if message.request != p.request || p.asker == nil {
		return
	}
	p.answer(c, answered{reply: message.reply, err: message.err})
	if errors.Is(message.err, providers.ErrSilent) {
		panic(replaceMe{message.err})
	}
}

func (p *provider) answer(c actor.Context, message answered) {
	c.Send(p.asker, message)
	p.asker = nil
	p.cancel(errDropped) // releases the context
}

// checkSilence looks at the last sign of life when it could have been too long ago,
// instead of moving a timer for every token.
func (p *provider) checkSilence(c actor.Context, message checkSilence) {
	if message.request != p.request || p.asker == nil {
		return
	}
	if quiet := p.config.Now().Sub(p.last); quiet < p.silence {
		task.After(c, p.silence-quiet, message)
		return
	}
	p.stop(c, fmt.Errorf("%w for %s", providers.ErrSilent, p.silence))
}

func (p *provider) giveUp(c actor.Context, message giveUp) {
	if message.request != p.request || p.asker == nil {
		return
	}
	err := fmt.Errorf("%w and its connection does not close", providers.ErrSilent)
	p.answer(c, answered{err: err})
	panic(replaceMe{err})
}

func (p *provider) close() {
	if p.cancel != nil {
		p.cancel(errDropped)
	}
	if p.model != nil {
		if err := p.model.Close(); err != nil {
			p.config.Log.Warn("provider not closed", "provider", p.choice.Provider, "reason", err)
		}
	}
}
