package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/kernel"
	"marvin/actors/internal/task"
	"marvin/providers"
	"marvin/providers/tokens"
)

// Messages from a turn to a provider and back, and internal messages of the provider.
type (
	// Ask asks the model a question. The answer is any number of Part messages, followed by one
	// Answered.
	Ask struct {
		Question providers.Question
		Places   []string      // paths from which the question's text comes; see Deps.MayTell
		Silence  time.Duration // the maximum time without output from the model
	}
	// Drop cancels the running request of the sender, if there is one.
	Drop struct{}

	Part struct{ providers.Part }
	// Quiet tells the turn that no data has arrived since the given time. The zero time means that the
	// answer has resumed.
	Quiet    struct{ Since time.Time }
	Answered struct {
		Reply providers.Reply
		Err   error
	}

	// connected, arrived and ended come from the task that runs the request.
	connected struct {
		request *request
		model   providers.Model
	}
	arrived struct {
		request *request
		part    providers.Part
	}
	ended struct {
		request *request
		reply   providers.Reply
		err     error
	}
	// usageFound carries the usage that a task received after the answer.
	usageFound struct {
		request *request
		usage   providers.Usage
	}
	// checkSilence and giveUp come from the provider's timers.
	checkSilence struct{ request *request }
	giveUp       struct{ request *request }
)

// request is one question to the model. Messages refer to a request by pointer. A number would not
// be unique, because numbering would begin again after a restart while old messages, timers and
// tasks still exist.
type request struct {
	asker   *actor.PID
	cancel  context.CancelCauseFunc
	silence time.Duration
	last    time.Time // the arrival time of the last piece plus the piece's Wait
	begun   bool      // a piece of the answer has arrived
	told    bool      // the user has seen a notice about the pause
	rest    func()    // stops the silence timer

	estimate providers.Usage // the charged usage; see [Corrected]
}

// errDropped is the cancellation cause of a request that the turn no longer needs.
var errDropped = errors.New("cancelled")

// Deps are the dependencies of a model's actor.
type Deps struct {
	Connect func(conv.Choice) (providers.Model, error)
	// MayTell returns an error if the model must not receive text from the given paths.
	MayTell func(choice conv.Choice, places []string) error
	Tokens  *tokens.Counter
	Environ []string
	User    string        // the user's home directory
	Quiet   time.Duration // the pause in an answer after which the user is notified
	Grace   time.Duration // the time within which a canceled request must return
	Log     *slog.Logger
	Now     func() time.Time
}

// New returns the actor that sends requests to one model.
func New(deps Deps, choice conv.Choice) actor.Actor {
	return &provider{deps: deps, choice: choice}
}

// provider is the actor that sends requests to one model. It lives as long as the conversation uses
// the model, so that later turns reuse the connections.
type provider struct {
	strange atomic.Bool // impossible token counts were reported
	deps    Deps
	choice  conv.Choice

	model   providers.Model
	request *request   // nil between requests
	owing   []*request // requests whose answer has arrived but whose usage is pending
}

func (p *provider) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case Ask:
		p.ask(c, message)
	case Drop:
		p.drop(c)
	case connected:
		p.storeModel(message)
	case arrived:
		p.forwardPiece(c, message)
	case ended:
		p.ended(c, message)
	case checkSilence:
		p.checkSilence(c, message)
	case giveUp:
		p.giveUp(c, message)
	case usageFound:
		p.reportUsage(c, message)
	case *actor.Restarting, *actor.Stopping:
		p.close(c)
	}
}

// storeModel stores the model for later questions. If another request has begun in the meantime,
// storeModel closes the model.
func (p *provider) storeModel(message connected) {
	if message.request != p.request {
		p.closeModel(message.model)
		return
	}
	p.model = message.model
}

func (p *provider) drop(c actor.Context) {
	if p.request == nil || !p.request.asker.Equal(c.Sender()) {
		return
	}
	p.stop(c, errDropped)
}

// stop cancels the running request. If the client does not return within the grace period, the
// actor is replaced, because callers would otherwise wait forever.
func (p *provider) stop(c actor.Context, cause error) {
	p.request.cancel(cause)
	task.After(c, p.deps.Grace, giveUp{request: p.request})
}

// forwardPiece passes a piece of the answer to the turn. The piece's Wait does not count as
// silence.
func (p *provider) forwardPiece(c actor.Context, message arrived) {
	if message.request != p.request {
		return
	}
	asked := p.request
	asked.last = p.deps.Now().Add(message.part.Wait)
	asked.begun = message.part.Kind != providers.NoticePart
	if asked.told {
		asked.told = false
		c.Send(asked.asker, Quiet{})
	}
	c.Send(asked.asker, Part{message.part})
}

func (p *provider) ended(c actor.Context, message ended) {
	if message.request != p.request {
		return
	}
	if message.reply.Rest != nil {
		p.awaitUsage(c, message.reply)
	}
	p.answer(c, Answered{Reply: message.reply, Err: message.err})
	if errors.Is(message.err, providers.ErrSilent) {
		panic(kernel.ReplaceMe{Err: message.err})
	}
}

func (p *provider) answer(c actor.Context, message Answered) {
	c.Send(p.request.asker, message)
	p.request.rest() // otherwise the timer keeps the turn in memory: 50 MB for a long batch
	if !slices.Contains(p.owing, p.request) {
		p.request.cancel(errDropped) // releases the context
	}
	p.request = nil
}

// checkSilence compares the time since the last piece with the limits, and sets the timer for the
// next check. An arriving piece does not reset the timer.
func (p *provider) checkSilence(c actor.Context, message checkSilence) {
	if message.request != p.request {
		return
	}
	asked, notable := p.request, p.deps.Quiet
	since := p.deps.Now().Sub(asked.last)
	switch {
	case since >= asked.silence:
		p.stop(c, fmt.Errorf("%w for %s", providers.ErrSilent, asked.silence))
		return
	case since < notable:
		notable -= since
	case asked.begun && !asked.told:
		asked.told = true
		p.deps.Log.Info("model is slow", "provider", p.choice.Provider, "model", p.choice.Model, "silent", since.Round(time.Second).String())
		c.Send(asked.asker, Quiet{Since: asked.last})
	}
	asked.rest = task.After(c, min(notable, asked.silence-since), message)
}

func (p *provider) giveUp(c actor.Context, message giveUp) {
	if message.request != p.request {
		return
	}
	err := fmt.Errorf("%w and its connection does not close", providers.ErrSilent)
	p.answer(c, Answered{Err: err})
	panic(kernel.ReplaceMe{Err: err})
}

func (p *provider) close(c actor.Context) {
	for len(p.owing) > 0 {
		p.reportUsage(c, usageFound{request: p.owing[0]})
	}
	if p.request != nil {
		p.request.cancel(errDropped)
		p.request.rest()
	}
	p.closeModel(p.model)
}

func (p *provider) closeModel(model providers.Model) {
	if model == nil {
		return
	}
	if err := model.Close(); err != nil {
		p.deps.Log.Warn("provider not closed", "provider", p.choice.Provider, "reason", err)
	}
}
