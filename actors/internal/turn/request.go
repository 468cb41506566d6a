package turn

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/model"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/tokens"
)

// This file composes, measures and sends a request to the model.

// pose composes and measures the next request. Once the rounds are used up, the request offers no
// tools.
func (e *exchange) pose(c actor.Context) step {
	e.question = providers.Question{System: e.frame.System, Messages: e.turn.Messages(), Effort: e.conversation.Effort}
	if e.number < e.conversation.Policy.MaxRounds() {
		e.question.Tools = slices.Clip(e.offered)
	}
	return e.weigh(c)
}

// weighed contains the size of the question in tokens.
type weighed struct{ tokens int }

// weigh determines the size of the question in tokens. If an upper bound is below limits.Warn, or
// the provider is offline, half the bound is used. In all other cases, and always for a requested
// compaction, a task counts the tokens.
func (e *exchange) weigh(c actor.Context) step {
	limits := e.limits()
	if bound := tokens.Bound(e.question); !e.wanted && (bound < limits.Warn || e.choice.Provider == providers.Offline) {
		e.weight.tokens, e.weight.verdict = bound/2, budget.Proceed
		return step{to: sends}
	}
	meter, question := e.meter(), e.question
	task.Do(c, func() any { return weighed{tokens: meter.Count(question, limits.Warn)} }, func(*task.Panicked) any {
		return weighed{tokens: tokens.Bound(question) / 2}
	})
	return step{to: weighs}
}

// decideStep decides the next step, now that the size of the question is known.
func (e *exchange) decideStep(c actor.Context, message weighed) step {
	if e.phase != weighing {
		return step{}
	}
	limits := e.limits()
	e.weight.tokens = message.tokens
	if tight := e.tooSmall(limits, message.tokens); tight != "" && !e.cancel {
		return e.outgrown(c, tight)
	}
	asked := e.wanted
	e.weight.verdict = limits.Decide(budget.State{Tokens: message.tokens, Tried: e.weight.tried, Starved: e.weight.starved, Asked: e.wanted})
	e.weight.starved, e.wanted = false, false
	switch {
	case e.cancel:
		return ending(e.cancelled(), e.limit)
	case e.weight.verdict == budget.Compact && asked:
		return step{to: compacts}
	case e.weight.verdict == budget.Compact:
		return step{to: prunes}
	case e.weight.verdict == budget.Refuse:
		return e.outgrown(c, limits.Refusal(message.tokens))
	}
	return step{to: sends}
}

// outgrown switches to a model with a larger context window. Without such a model, the turn ends.
func (e *exchange) outgrown(c actor.Context, why string) step {
	if e.recovery.grow(c, why) {
		return step{}
	}
	return ending(messages.Failed, why)
}

// affordable says that the claim was granted or that the cost limit was reached.
type affordable struct{ claim *conv.Claim }

// put submits the question to the model. If there is a cost limit, the question waits until its
// estimated cost is reserved.
func (b *billing) put(c actor.Context, question providers.Question) {
	b.pending = model.Ask{Question: question, Places: b.places(), Silence: b.silence()}
	limit := b.conversation.Policy.Limits.Cost
	if limit <= 0 {
		b.dispatch(c)
		return
	}
	choice, _ := b.respondent()
	price, priced := b.Config.Models.Price.Lookup(choice.Provider, choice.Model)
	if !priced {
		price = providers.AssumedPrice
	}
	wish := &conv.Claim{Limit: limit, Life: b.conversation.AgentContext, Estimate: (float64(b.weight.tokens)*price.Input + conv.WrittenTokens*price.Output) / 1e6}
	self, root := c.Self(), c.ActorSystem().Root
	wish.Ready = func() { root.Send(self, affordable{claim: wish}) }
	b.claim, b.queued = wish, true
	if b.conversation.Spending.Claim(wish) {
		b.dispatch(c)
	}
}

func (b *billing) dispatch(c actor.Context) {
	b.queued = false
	_, pid := b.respondent()
	c.Request(pid, b.pending)
}

// affordable dispatches the queued request, or ends the turn at the cost limit.
func (b *billing) affordable(c actor.Context, message affordable) step {
	switch {
	case message.claim != b.claim || !b.queued: // the request has been abandoned in the meantime
	case b.costLimitReached():
		return ending(messages.Incomplete, b.limit)
	default:
		b.dispatch(c)
	}
	return step{}
}
