package turn

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/disclosure"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/model"
	"marvin/actors/internal/recorder"
	"marvin/messages"
	"marvin/providers"
)

// billing reserves and records the cost of a turn's requests.
type billing struct {
	*turnState
	pending model.Ask   // the running or queued request
	claim   *conv.Claim // the reserved cost, if there is a limit
	queued  bool        // the cost limit delays the request
}

// account adds a request's usage to the totals and returns the cost. A failed request without usage
// costs nothing.
func (b *billing) account(c actor.Context, message model.Answered) (cost float64) {
	choice, _ := b.respondent()
	defer func() { b.pay(cost) }()
	if choice.Provider == providers.Offline {
		return 0 // no model was asked
	}
	if message.Err != nil && !message.Reply.Usage.Known && !message.Reply.Usage.Estimated {
		return 0 // without an answer there is no cost
	}
	var sums messages.Usage
	sums, cost = b.Config.Spend(b.usage, choice, message.Reply.Usage, b.conversation.Policy.Limits.Cost > 0)
	if _, priced := b.Config.Models.Price.Lookup(choice.Provider, choice.Model); !priced && len(sums.Unpriced) > len(b.usage.Unpriced) {
		b.notePriceUnknown(c, choice)
	}
	b.usage = sums
	b.context = messages.Context{Used: b.weight.tokens, Limit: b.limits().Refuse}
	// The total usage of several requests is not the size of the context.
	if count := message.Reply.Usage; count.Known && count.Turns <= 1 {
		b.context.Used = count.Input + count.Output
	}
	b.tellUsage(c)
	known, _ := b.Config.Cost(choice, message.Reply.Usage, false) // an unknown price counts as 0
	c.Send(b.Recorder, recorder.Spent{Choice: choice, Usage: message.Reply.Usage, Cost: known})
	b.tellSent(c, choice, message.Reply)
	return cost
}

// notePriceUnknown tells the user that the price of a model is unknown. Without a cost limit, the
// user sees the notice once per model. With a cost limit, every conversation shows the notice,
// because the assumed price determines when the limit is reached.
func (b *billing) notePriceUnknown(c actor.Context, choice conv.Choice) {
	text := "The price of " + choice.Model + " is unknown, %s. Set it under \"prices:\" in config.yaml."
	if b.conversation.Policy.Limits.Cost > 0 {
		b.note(c, messages.Info, fmt.Sprintf(text, fmt.Sprintf("so with --max-cost it counts as $%g for a million tokens of input and $%g for output", providers.AssumedPrice.Input, providers.AssumedPrice.Output)))
		return
	}
	c.Send(b.input.Session, mail.SayOnce{About: "price " + choice.String(), Notice: messages.Notice{Level: messages.Info, Text: fmt.Sprintf(text, "so its cost counts as 0")}})
}

// pay settles the claim. The cost is 0 if the request was never sent.
func (b *billing) pay(cost float64) {
	b.conversation.Spending.Settle(b.claim, cost)
	b.claim, b.queued = nil, false
}

// tellSent sends a [mail.RequestSent] if the request was for a sub-agent, an aside or a summary.
func (t *turnState) tellSent(c actor.Context, choice conv.Choice, reply providers.Reply) {
	what := ""
	switch begin := t.conversation; {
	case begin.Caller.Session != nil:
		what = "sub-agent " + disclosure.FirstLine(begin.Caller.Name, 40)
	case t.input.Aside:
		what = "beside the conversation"
	case t.phase == compacting:
		what = "a summary"
	default:
		return
	}
	sent := t.Config.SentBy(what, choice, reply.Usage)
	sent.Places = messages.Places(t.turn.Messages())
	for _, call := range reply.Calls {
		if to := disclosure.Destination(t.tools, call); to != "" {
			sent.Calls = append(sent.Calls, disclosure.SentCall{Tool: call.Name, To: to})
		}
	}
	c.Send(t.input.Session, mail.RequestSent{Sent: sent})
}
