package turn

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/actors/internal/model"
	"marvin/messages"
)

// How the model is asked, step by step, and what comes of its answer.

// mostSpoken is how much one turn may say in all its rounds, in bytes.
const mostSpoken = 32 << 20

// ask sends the conversation to the model: with tools, until the rounds are used up,
// and as long as the conversation's limits allow it.
func (r *router) ask(c actor.Context) {
	switch {
	case r.broke():
		r.end(c, messages.Incomplete, r.limit)
	case r.speech.spoken.Len() > mostSpoken:
		r.end(c, messages.Incomplete, fmt.Sprintf("the turn has said more than %d MiB", mostSpoken>>20))
	default:
		r.take(c, r.hooks.announce(c))
	}
}

// pose makes the question and has it weighed.
func (r *router) pose(c actor.Context) {
	if r.compaction.tidy(c) {
		r.phase = compacting
		return
	}
	r.take(c, r.exchange.pose(c))
}

// send puts the question that was weighed.
func (r *router) send(c actor.Context) {
	r.phase, r.compaction.tidied = asking, false
	r.number++
	r.speech.begin()
	r.kept.log(c)
	r.billing.put(c, r.exchange.question)
}

// answered tells everybody of an answer, before anything is done about it.
func (r *router) answered(c actor.Context, message model.Answered) {
	switch r.phase {
	case compacting:
		r.take(c, r.compaction.summarized(c, message))
	case asking:
		r.exchange.receive(c, message)
		r.take(c, r.hooks.reported(c, message))
	}
}

// useProvider switches to another model.
func (r *router) useProvider(c actor.Context, message UseProvider) {
	if r.phase == compacting && !r.cancel {
		r.helper = message
		r.take(c, r.compaction.next(c))
		return
	}
	r.choice, r.provider = message.Choice, message.Pid
	if r.cancel {
		r.end(c, r.cancelled(), r.limit)
		return
	}
	r.ask(c)
}

func (r *router) approve(c actor.Context, message mail.Approve) {
	r.conversation.Policy.Approval = message.Mode
	r.mode = r.conversation.Policy.Mode()
	if r.mode.Planning { // behind this round the model can say what it plans
		r.round.found = append(r.round.found, r.tools.Since(r.mode, r.preparation.window, r.offered != nil, r.has)...)
	}
	for _, worker := range c.Children() {
		c.Send(worker, message)
	}
}
