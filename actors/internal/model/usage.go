package model

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/task"
	"marvin/providers"
	"marvin/providers/tokens"
)

// The cost of an answer may be unknown when the answer is complete. Some servers report the cost
// later, and no turn waits for the report. If the report never comes, the cost is estimated.

// Messages from a provider to its session about an estimated charge.
type (
	// UsagePending announces that the charged usage of an answer can change. The provider sends
	// [Corrected] within 15 s, even if the server reports nothing.
	UsagePending struct{}
	// Corrected replaces the charged usage with the real usage. The charge remains if the real
	// usage is unknown or implausible.
	Corrected struct {
		Choice  conv.Choice
		Was, Is providers.Usage // the charged usage and the real usage
	}
)

// estimated returns the server's usage numbers if they are plausible, and an estimate otherwise.
func estimated(meter tokens.Meter, question providers.Question, reply providers.Reply) providers.Usage {
	if reply.Usage.Known && reply.Usage.Sane() {
		return reply.Usage
	}
	usage := providers.Usage{Estimated: true, Input: meter.Count(question, 0), Output: meter.Text(reply.Text), Turns: max(0, min(reply.Usage.Turns, 1000))}
	for _, thought := range reply.Thinking {
		usage.Output += meter.Text(thought.Text)
	}
	for _, call := range reply.Calls {
		usage.Output += meter.Text(call.Name + string(call.Args))
	}
	return usage
}

// awaitUsage sends [UsagePending] to the session and starts a task that waits for the usage. It
// must be called before the answer is sent to the turn. Otherwise the session could treat the turn
// as complete before its cost is final.
func (p *provider) awaitUsage(c actor.Context, reply providers.Reply) {
	asked := p.request
	asked.estimate = reply.Usage
	p.owing = append(p.owing, asked)
	c.Send(c.Parent(), UsagePending{})
	task.Do(c, func() any { return usageFound{request: asked, usage: reply.Rest()} },
		func(*task.Panicked) any { return usageFound{request: asked} })
}

func (p *provider) reportUsage(c actor.Context, message usageFound) {
	for i, asked := range p.owing {
		if asked == message.request {
			p.owing = append(p.owing[:i:i], p.owing[i+1:]...)
			asked.cancel(errDropped)
			c.Send(c.Parent(), Corrected{Choice: p.choice, Was: asked.estimate, Is: message.usage})
			return
		}
	}
}
