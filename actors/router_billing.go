package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// How requests are paid for: each begins only when the limit of the conversation has room for
// it, and what it cost is added to the sums.

// affordable says that a request need not wait for others any more.
type affordable struct{ claim *claim }

// billing pays for the requests of a turn: one part of the router.
type billing struct {
	*turnState
	pending ask    // under way, or waiting until it can be paid for
	claim   *claim // for it, where there is a limit
	queued  bool   // it waits
}

// put asks as soon as it can be paid for.
func (b *billing) put(c actor.Context, question providers.Question) {
	b.pending = ask{question: question, places: b.places(), silence: b.silence()}
	limit := b.conversation.Policy.Limits.Cost
	if limit <= 0 {
		b.dispatch(c)
		return
	}
	choice, _ := b.respondent()
	price, priced := b.config.Models.Price.Lookup(choice.Provider, choice.Model)
	if !priced {
		price = providers.Assumed
	}
	wish := &claim{limit: limit, life: b.conversation.life, estimate: (float64(b.weight.tokens)*price.Input + writtenTokens*price.Output) / 1e6}
	self, root := c.Self(), c.ActorSystem().Root
	wish.ready = func() { root.Send(self, affordable{claim: wish}) }
	b.claim, b.queued = wish, true
	if b.conversation.Spending.claim(wish) {
		b.dispatch(c)
	}
}

func (b *billing) dispatch(c actor.Context) {
	b.queued = false
	_, pid := b.respondent()
	c.Request(pid, b.pending)
}

// affordable continues a request that waited for the cost of others.
func (b *billing) affordable(c actor.Context, message affordable) step {
	switch {
	case message.claim != b.claim || !b.queued: // it was given up meanwhile
	case b.broke():
		return ending(messages.Incomplete, b.limit)
	default:
		b.dispatch(c)
	}
	return step{}
}

// account adds a round trip to the session's sums, also one that failed after
// tokens were spent, and says what it cost.
func (b *billing) account(c actor.Context, message answered) (cost float64) {
	choice, _ := b.respondent()
	defer func() { b.pay(cost) }()
	if choice.Provider == providers.Offline {
		return 0 // no model was asked
	}
	if message.err != nil && !message.reply.Usage.Known && !message.reply.Usage.Estimated {
		return 0 // nothing was answered, so nothing is owed
	}
	var sums messages.Usage
	sums, cost = b.config.spend(b.usage, choice, message.reply.Usage, b.conversation.Policy.Limits.Cost > 0)
	if _, priced := b.config.Models.Price.Lookup(choice.Provider, choice.Model); !priced && len(sums.Unpriced) > len(b.usage.Unpriced) {
		b.unpriced(c, choice)
	}
	b.usage = sums
	b.context = messages.Context{Used: b.weight.tokens, Limit: b.limits().Refuse}
	if count := message.reply.Usage; count.Known && count.Turns <= 1 { // else a sum of several questions
		b.context.Used = count.Input + count.Output
	}
	b.tellUsage(c)
	known, _ := b.config.cost(choice, message.reply.Usage, false) // no assumed price is kept for life
	c.Send(b.recorder, spent{choice: choice, usage: message.reply.Usage, cost: known})
	b.tellSent(c, choice, message.reply)
	return cost
}

// unpriced says that the price of a model is unknown. Under a limit of costs that is said in
// each conversation, because it decides when the limit is reached. Otherwise it is said once for
// each model, and never for a server on this machine.
func (b *billing) unpriced(c actor.Context, choice Choice) {
	text := "The price of " + choice.Model + " is unknown, %s. Set it under prices: in config.yaml."
	if b.conversation.Policy.Limits.Cost > 0 {
		b.note(c, messages.Info, fmt.Sprintf(text, fmt.Sprintf("so with --max-cost it counts as $%g for a million tokens of input and $%g for output", providers.Assumed.Input, providers.Assumed.Output)))
		return
	}
	if host := b.config.host(choice); tools.Loopback(host) {
		return
	}
	c.Send(b.brief.session, sayOnce{about: "price " + choice.String(), notice: messages.Notice{Level: messages.Info, Text: fmt.Sprintf(text, "so its cost counts as 0")}})
}

// pay settles the request that ended, or that is never asked.
func (b *billing) pay(cost float64) {
	b.conversation.Spending.settle(b.claim, cost)
	b.claim, b.queued = nil, false
}
