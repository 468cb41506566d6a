package turn

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/material"
	"marvin/actors/internal/model"
	"marvin/actors/internal/ntfy"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// A turn in one file: its states, which mail reaches it in which of them, and what it does next. Its
// parts decide and return a step; take is the one place that carries a step out, and only this file
// changes the state.
//
//	preparing   gathers what a request needs            → running (calls of the prompt) or asking
//	weighing    counts the question, if it may be long  → asking or compacting
//	compacting  shortens the conversation               → asking
//	asking      hears the model                         → running, asking again, hearing or leaving
//	running     waits for calls                         → preparing, hearing or asking
//	hearing     takes in what came meanwhile            → preparing, asking or leaving
//	consulting  waits for hooks, in any of these        → what the step behind them says
//	leaving     tells hooks how it ended, then reports
//
// A cancel leads from each of them to leaving.

// phase is what a turn is at. Only the router moves it.
type phase uint8

const (
	preparing  phase = iota // until the system text is built
	weighing                // until the question is counted
	compacting              // until older messages are summarized
	asking
	running
	consulting // until hooks have answered
	hearing    // until the session hands over what it has for the model
	leaving    // until hooks heard how it ended
)

// missing is what a request waits for while a turn prepares, as a set.
type missing uint8

const (
	theFiles missing = 1 << iota // of the profile and the project, and the user's answer about them
	theTools
	theNews // of topics
	theDisk // that has the prompt
)

// step is what a turn does next. A part decides it, and the router takes it; the zero value
// waits for mail.
type step struct {
	to      direction
	outcome messages.Outcome    // of an end
	problem string              // with it, for people
	said    messages.Message    // an answer, with the words in front of its calls
	calls   []messages.ToolCall // to run
	answer  model.Answered      // to digest
	refused error               // why no summary is made
}

type direction uint8

const (
	waits      direction = iota
	gathers              // reads what the first request needs
	begins               // asks once that is there
	asks                 // the model, as long as the limits allow it
	poses                // the question
	weighs               // waits until it is counted
	sends                // the question
	digests              // an answer that is fully recorded
	prunes               // old results
	compacts             // the conversation
	summarizes           // its older messages, unless that is refused
	runs                 // calls
	continues            // behind a round
	completes            // with the answer that came
	consults             // waits for hooks
	ends
	closes // when the hooks know the end
)

// ending is the end of a turn.
func ending(outcome messages.Outcome, problem string) step {
	return step{to: ends, outcome: outcome, problem: problem}
}

func (r *router) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		r.start(c)
	case material.Prepared:
		r.take(c, r.preparation.prepared(c, message))
	case material.Described:
		r.take(c, r.preparation.described(c, message))
	case mail.Granted:
		r.take(c, r.preparation.acquainted(c, message))
	case remembered:
		r.take(c, r.preparation.remembered(c, message))
	case recorder.PromptKept:
		r.take(c, r.kept.promptKept(c, message))
	case keepText:
		r.kept.text(c, r.speech.whole())
	case ntfy.Notifications:
		r.take(c, r.news.notified(c, message))
	case newsLate:
		r.take(c, r.news.stop())
	case consultedHooks:
		r.take(c, r.hooks.heard(c, message))
	case weighed:
		r.take(c, r.exchange.weighed(c, message))
	case planned:
		r.take(c, r.compaction.planned(c, message))
	case pruned:
		r.take(c, r.compaction.pruned(c, message))
	case compacted:
		r.take(c, r.compaction.compacted(c, message))
	case model.Part:
		r.speech.part(c, message)
	case model.Quiet:
		r.recovery.quiet(c, message)
	case model.Answered:
		r.answered(c, message)
	case messages.Event:
		r.tell(c, message)
	case call.CallEnded:
		r.take(c, r.round.callEnded(c, message))
	case WordsWait:
		r.interjected.wait(message)
	case Words:
		r.heard(c, message)
	case UseProvider:
		r.useProvider(c, message)
	case mail.Approve:
		r.approve(c, message)
	case CancelTurn:
		r.cancelTurn(c)
	case messages.Background:
		r.round.sendAway(c, message)
	case messages.VisitAgent:
		r.round.visit(c, message)
	case CompactTurn:
		r.wanted, r.compaction.focus = true, message.Focus
	case Overtime:
		c.Request(r.brief.Session, message)
	case Lent:
		r.lent(c, message)
	case patienceEnded:
		r.patienceEnded(c, message)
	case affordable:
		r.take(c, r.billing.affordable(c, message))
	case *actor.Stopping:
		r.hooks.hush()
		r.billing.pay(0) // for an abandoned request
	case ProviderLost:
		if _, pid := r.respondent(); message.Who.Equal(pid) { // and not the one before a fallback
			r.answered(c, model.Answered{Err: message.Reason})
		}
	case *actor.Terminated:
		task.Obituary(c, message)
	case task.Gone:
		r.take(c, r.round.workerGone(c, message))
	}
}

// take does what a part decided.
func (r *router) take(c actor.Context, next step) {
	switch next.to {
	case waits:
	case gathers:
		r.gather(c)
	case begins:
		r.begin(c)
	case asks:
		r.ask(c)
	case poses:
		r.pose(c)
	case weighs:
		r.phase = weighing
	case sends:
		r.send(c)
	case digests:
		r.phase = asking
		r.take(c, r.exchange.digest(c, next.answer))
	case prunes:
		r.phase = compacting
		r.compaction.prune(c)
	case compacts:
		r.phase = compacting
		r.compaction.begin(c)
	case summarizes:
		r.phase = compacting
		r.take(c, r.compaction.allowed(c, next.refused))
	case runs:
		if r.compaction.makeRoom(c, next) {
			r.phase = compacting
			return
		}
		r.phase = running
		r.round.begin(c, next.said, next.calls)
	case continues:
		r.next(c)
	case completes:
		r.complete(c)
	case consults:
		if r.phase != leaving {
			r.phase = consulting
		}
	case ends:
		r.end(c, next.outcome, next.problem)
	case closes:
		r.finish(c, next.outcome, next.problem)
	}
}

// start has the hooks look at the prompt, before anything else has it.
func (r *router) start(c actor.Context) {
	if limit := r.conversation.Policy.Limits.Time; limit > 0 {
		r.ends = r.Config.Now().Add(limit)
		task.After(c, limit, Overtime{})
	}
	r.take(c, r.hooks.welcome(c))
}

// gather begins to read what the first request needs.
func (r *router) gather(c actor.Context) {
	r.phase = preparing
	r.preparation.read(c, r.round.touched)
	r.preparation.choose(c)
	r.news.listen(c)
}

// begin asks once everything that a request needs is there.
func (r *router) begin(c actor.Context) {
	switch {
	case r.phase != preparing || r.missing != 0:
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	case r.round.opens():
		r.phase = running
		r.round.openPrompt(c)
	default:
		r.preparation.offerSkilled()
		r.preparation.inform(c)
		r.preparation.remind()
		r.ask(c)
	}
}

// next prepares what a round changed, hears what there is for the model, and asks again.
func (r *router) next(c actor.Context) {
	found, moved := r.round.changes()
	switch {
	case len(found) > 0 || moved:
		r.phase = preparing
		r.preparation.again(c, found, moved, r.round.touched)
	case r.interjected.waiting:
		r.hear(c)
	default:
		r.preparation.remind()
		r.ask(c)
	}
}

// HandleFailure ends a worker whose actor failed; its obituary becomes the result.
func (r *router) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, message any) {
	supervisor.StopChildren(child)
}

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

// hear takes the waiting messages in, and then sends the next request.
func (r *router) hear(c actor.Context) {
	r.phase = hearing
	r.interjected.ask(c)
}

func (r *router) heard(c actor.Context, message Words) {
	if r.phase != hearing {
		return
	}
	if said := r.interjected.take(message); len(message.Said) > 0 {
		r.preparation.steered += "\n" + said
		r.round.moved = true // rules may be about these words
	}
	switch {
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	case len(message.News)+len(message.Said) == 0 && r.interjected.answeredLast():
		r.take(c, r.hooks.farewell(c, r.speech.whole()))
	default:
		r.next(c)
	}
}

// complete ends the turn with the model's answer, unless a message for the model is due.
func (r *router) complete(c actor.Context) {
	if r.interjected.due && !r.exit {
		r.hear(c)
		return
	}
	if r.exit {
		r.end(c, messages.Completed, "")
		return
	}
	r.take(c, r.hooks.farewell(c, r.speech.whole()))
}

// cancelTurn ends politely: the model's words and every call's result are kept.
func (r *router) cancelTurn(c actor.Context) {
	if r.cancel {
		return
	}
	r.cancel = true
	switch r.phase {
	case preparing:
		r.preparation.forgo()
		r.kept.forgo()
		if r.missing&theNews != 0 {
			r.news.stop()
		}
		r.begin(c)
	case weighing:
		r.end(c, r.cancelled(), r.limit)
	case asking, compacting:
		if r.billing.queued || r.phase == compacting && r.compaction.writes {
			r.end(c, r.cancelled(), r.limit)
			return
		}
		_, pid := r.respondent()
		c.Request(pid, model.Drop{})
	case consulting, leaving:
		r.hooks.hush()
	case hearing: // the words that come belong to the turn, so they get a moment
		task.After(c, r.Config.Tuning.CancelGrace, patienceEnded{round: r.number})
	case running:
		for _, child := range c.Children() {
			c.Send(child, call.CancelCall{})
		}
		task.After(c, r.Config.Tuning.CancelGrace, patienceEnded{round: r.number})
	}
}

// stopAt ends a turn that reached a limit, as politely as a cancel.
func (r *router) stopAt(c actor.Context, limit string) {
	if r.cancel {
		return
	}
	r.limit = limit
	r.cancelTurn(c)
}

// patienceEnded stops workers that did not report; the notice of their end settles them. It ends a
// turn that never reached the session.
func (r *router) patienceEnded(c actor.Context, message patienceEnded) {
	switch {
	case message.round != r.number:
		return
	case r.phase == hearing:
		r.end(c, r.cancelled(), r.limit)
		return
	case r.phase != running:
		return
	}
	for _, child := range c.Children() {
		c.Stop(child)
	}
}

// end lets the hooks know, reports once and leaves.
func (r *router) end(c actor.Context, outcome messages.Outcome, problem string) {
	r.phase = leaving
	r.take(c, r.hooks.dismissed(c, outcome, problem, r.speech.whole()))
}
