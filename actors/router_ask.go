package actors

import (
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/providers"
)

// How the model is asked: with tools, as long as there are rounds left, and only for what
// the limits of the conversation pay.

// affordable says that a request need not wait for others any more.
type affordable struct{ claim *claim }

// mostSpoken is how much one turn may say in all its rounds, in bytes.
const mostSpoken = 32 << 20

// writtenTokens is what an answer is taken to have, for what it may cost.
const writtenTokens = 1000

// ask sends the conversation to the model: with tools, until the rounds are used up,
// and as long as the conversation's limits allow it.
func (r *router) ask(c actor.Context) {
	switch {
	case r.broke():
		r.end(c, messages.Incomplete, r.limit)
		return
	case r.spoken.Len() > mostSpoken:
		r.end(c, messages.Incomplete, fmt.Sprintf("the turn has said more than %d MiB", mostSpoken>>20))
		return
	}
	r.announce(c, func() { r.pose(c) })
}

// pose makes the question and has it weighed.
func (r *router) pose(c actor.Context) {
	if tidy(c, r) { // guard: what is stale leaves before it is sent again
		return
	}
	r.question = providers.Question{System: r.frame.System, Messages: r.turn.Messages(), Effort: r.conversation.Effort}
	if r.number < r.conversation.Policy.maxRounds() {
		r.question.Tools = slices.Clip(r.offered)
	}
	r.weigh(c)
}

// send puts the question that was weighed.
func (r *router) send(c actor.Context) {
	r.phase, r.tidied = asking, false
	r.number++
	r.current.Reset()
	r.log(c)
	r.put(c, r.question)
}

// put asks as soon as it can be paid for.
func (r *router) put(c actor.Context, question providers.Question) {
	r.pending = ask{question: question, places: r.places(), silence: r.silence()} // guard: R3: the silence limit is that of the mode of the moment
	limit := r.conversation.Policy.Limits.Cost
	if limit <= 0 {
		r.dispatch(c)
		return
	}
	choice, _ := r.respondent()
	price, _ := r.config.Models.Price.Lookup(choice.Provider, choice.Model)
	wish := &claim{limit: limit, life: r.conversation.life, estimate: (float64(r.weight.tokens)*price.Input + writtenTokens*price.Output) / 1e6}
	self, root := c.Self(), c.ActorSystem().Root
	wish.ready = func() { root.Send(self, affordable{claim: wish}) }
	r.claim, r.queued = wish, true
	if r.conversation.Spending.claim(wish) {
		r.dispatch(c)
	}
}

func (r *router) dispatch(c actor.Context) {
	r.queued = false
	_, pid := r.respondent()
	c.Request(pid, r.pending)
}

// affordable goes on with a request that waited for others.
func (r *router) affordable(c actor.Context, message affordable) {
	switch {
	case message.claim != r.claim || !r.queued: // it was given up meanwhile
	case r.broke():
		r.end(c, messages.Incomplete, r.limit)
	default:
		r.dispatch(c)
	}
}

// account adds a round trip to the session's sums, also one that failed after
// tokens were spent, and says what it cost.
func (r *router) account(c actor.Context, message answered) (cost float64) {
	choice, _ := r.respondent()
	defer func() { r.pay(cost) }()
	if choice.Provider == providers.Offline {
		return 0 // no model was asked
	}
	if message.err != nil && !message.reply.Usage.Known && !message.reply.Usage.Estimated {
		return 0 // nothing was answered, so nothing is owed
	}
	var sums messages.Usage
	sums, cost = r.config.spend(r.usage, choice, message.reply.Usage)
	if _, priced := r.config.Models.Price.Lookup(choice.Provider, choice.Model); !priced && len(sums.Unpriced) > len(r.usage.Unpriced) {
		c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: fmt.Sprintf("The price of %s is unknown, so its cost counts as 0. Set it under prices: in config.yaml.", choice.Model)})
	}
	r.usage = sums
	r.context = messages.Context{Used: r.weight.tokens, Limit: r.limits().Refuse}
	if count := message.reply.Usage; count.Known && count.Turns <= 1 { // else a sum of several questions
		r.context.Used = count.Input + count.Output
	}
	c.Send(r.brief.session, messages.UsageChanged{Usage: sums, Context: r.context})
	c.Send(r.recorder, spent{choice: choice, usage: message.reply.Usage, cost: cost})
	tellSent(c, r, choice, message.reply)
	return cost
}

// pay settles the request that ended, or that is never asked.
func (r *router) pay(cost float64) {
	r.conversation.Spending.settle(r.claim, cost)
	r.claim, r.queued = nil, false
}

// outOfRounds says whether the last question went without tools, because the rounds of
// the turn are used up.
func (r *router) outOfRounds() bool { return r.number > r.conversation.Policy.maxRounds() }

// refuseLate answers calls of a model that was asked without tools: none of them runs. It
// is asked for words once more, and then the turn ends with what there is.
func (r *router) refuseLate(c actor.Context, text string, calls []messages.ToolCall) {
	rounds := r.conversation.Policy.maxRounds()
	calls = r.turn.Name(calls)
	results := make([]messages.ToolResult, len(calls))
	for i, call := range calls {
		results[i] = messages.ToolResult{
			Call: call.ID, Name: call.Name, Status: messages.Forbidden,
			Text: fmt.Sprintf("Error: not executed: the %d rounds of tools of this turn are used up. Answer now in plain words, with what you know and what is missing.", rounds),
		}
	}
	r.turn.AddRound(r.calling(text, calls), r.told(results, nil))
	r.current.Reset() // it is in the round
	if r.refused {    // guard: calls beyond it are refused once
		r.end(c, messages.Incomplete, fmt.Sprintf("the %d rounds of tools are used up, and the model goes on calling tools instead of answering", rounds))
		return
	}
	r.refused = true
	r.ask(c)
}
