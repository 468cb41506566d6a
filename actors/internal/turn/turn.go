package turn

import (
	"time"

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

// router is one turn: it asks the model, runs the calls, and asks again until there
// is an answer. It lives exactly as long as the work and is never restarted. Its parts
// decide, and say what comes next; it alone moves the phase.
type router struct {
	turnState
	hooks       turnHooks
	kept        turnKeeping
	speech      speech
	news        turnNews
	preparation preparation
	interjected interjected
	billing     billing
	recovery    recovery
	exchange    exchange
	compaction  compaction
	round       round
	borrowed    time.Duration // of people, beyond the time limit
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
	case r.phase != preparing || !r.preparation.ready() || !r.news.ready || r.kept.waits:
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
