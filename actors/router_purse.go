package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/providers"
)

// How requests are paid for: each begins only when the limit of the conversation has room for
// it, and what it cost is added to the sums.

// affordable says that a request need not wait for others any more.
type affordable struct{ claim *claim }

// writtenTokens is what an answer is taken to have, for what it may cost.
const writtenTokens = 1000

// purse pays for the requests of a turn.
type purse struct {
	*turnState
	pending ask    // under way, or waiting until it can be paid for
	claim   *claim // for it, where there is a limit
	queued  bool   // it waits
}

// put asks as soon as it can be paid for.
func (p *purse) put(c actor.Context, question providers.Question) {
	p.pending = ask{question: question, places: p.places(), silence: p.silence()} // guard: R3: the silence limit is that of the mode of the moment
	limit := p.conversation.Policy.Limits.Cost
	if limit <= 0 {
		p.dispatch(c)
		return
	}
	choice, _ := p.respondent()
	price, _ := p.config.Models.Price.Lookup(choice.Provider, choice.Model)
	wish := &claim{limit: limit, life: p.conversation.life, estimate: (float64(p.weight.tokens)*price.Input + writtenTokens*price.Output) / 1e6}
	self, root := c.Self(), c.ActorSystem().Root
	wish.ready = func() { root.Send(self, affordable{claim: wish}) }
	p.claim, p.queued = wish, true
	if p.conversation.Spending.claim(wish) {
		p.dispatch(c)
	}
}

func (p *purse) dispatch(c actor.Context) {
	p.queued = false
	_, pid := p.respondent()
	c.Request(pid, p.pending)
}

// affordable goes on with a request that waited for others.
func (p *purse) affordable(c actor.Context, message affordable) step {
	switch {
	case message.claim != p.claim || !p.queued: // it was given up meanwhile
	case p.broke():
		return ending(messages.Incomplete, p.limit)
	default:
		p.dispatch(c)
	}
	return step{}
}

// account adds a round trip to the session's sums, also one that failed after
// tokens were spent, and says what it cost.
func (p *purse) account(c actor.Context, message answered) (cost float64) {
	choice, _ := p.respondent()
	defer func() { p.pay(cost) }()
	if choice.Provider == providers.Offline {
		return 0 // no model was asked
	}
	if message.err != nil && !message.reply.Usage.Known && !message.reply.Usage.Estimated {
		return 0 // nothing was answered, so nothing is owed
	}
	var sums messages.Usage
	sums, cost = p.config.spend(p.usage, choice, message.reply.Usage)
	if _, priced := p.config.Models.Price.Lookup(choice.Provider, choice.Model); !priced && len(sums.Unpriced) > len(p.usage.Unpriced) {
		p.note(c, messages.Info, fmt.Sprintf("The price of %s is unknown, so its cost counts as 0. Set it under prices: in config.yaml.", choice.Model))
	}
	p.usage = sums
	p.context = messages.Context{Used: p.weight.tokens, Limit: p.limits().Refuse}
	if count := message.reply.Usage; count.Known && count.Turns <= 1 { // else a sum of several questions
		p.context.Used = count.Input + count.Output
	}
	p.tellUsage(c)
	c.Send(p.recorder, spent{choice: choice, usage: message.reply.Usage, cost: cost})
	p.tellSent(c, choice, message.reply)
	return cost
}

// pay settles the request that ended, or that is never asked.
func (p *purse) pay(cost float64) {
	p.conversation.Spending.settle(p.claim, cost)
	p.claim, p.queued = nil, false
}
