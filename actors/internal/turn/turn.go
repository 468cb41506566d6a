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

// This file defines the states and steps of a turn. Each part of the turn returns the next step.
// Only [Turn.take] executes steps, and only this file changes the state.
//
//	preparing   gathers the contents of a request → running (calls in the prompt) or asking
//	weighing    measures a long question          → asking or compacting
//	compacting  shortens the conversation         → asking or running
//	asking      waits for the model's answer      → running, compacting, asking, hearing or leaving
//	running     waits for calls                   → preparing, hearing or asking
//	hearing     waits for pending messages        → preparing, asking or leaving
//	consulting  waits for hooks                   → the state that follows the hooks
//	leaving     runs the end hooks, then reports
//
// If the turn is canceled, every state is followed by "leaving".

// phase is the state of a turn, as listed above. Only [Turn] changes it.
type phase uint8

const (
	preparing phase = iota
	weighing
	compacting
	asking
	running
	consulting
	hearing
	leaving
)

// awaited has one bit for each thing that a request waits for.
type awaited uint8

const (
	theFiles awaited = 1 << iota // profile, project files and the user's consent to them
	theTools
	theNews // ntfy messages
	theDisk // confirmation that the prompt is on disk
)

// step describes the next action of a turn, which [Turn.take] executes. The zero value means that
// the turn waits for mail.
type step struct {
	to      direction
	outcome messages.Outcome    // how the turn ends
	problem string              // why the turn ends, as shown to the user
	said    messages.Message    // the model's message, with the text before the calls
	calls   []messages.ToolCall // the calls to run
	answer  model.Answered      // the model's latest answer
	refused error               // why a hook refused the summary
}

type direction uint8

const (
	waits      direction = iota
	gathers              // reads what the first request needs
	begins               // sends the prepared request once everything is ready
	asks                 // begins the next request to the model
	poses                // builds the request
	weighs               // the turn waits for the size of the question
	sends                // sends the question
	digests              // processes the model's answer
	prunes               // removes old results
	compacts             // shortens the conversation
	summarizes           // begins the summary after the session.compact hooks
	runs                 // runs calls
	continues            // continues the turn after a round
	completes            // ends the turn after an answer without calls
	consults             // waits for hooks
	ends
	closes // the turn reports its outcome and stops
)

func ending(outcome messages.Outcome, problem string) step {
	return step{to: ends, outcome: outcome, problem: problem}
}

func (t *Turn) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		t.start(c)
	case material.Prepared:
		t.take(c, t.preparation.receiveFiles(c, message))
	case material.ToolsDescribed:
		t.take(c, t.preparation.offerTools(c, message))
	case mail.Answered:
		t.take(c, t.preparation.applyAnswer(c, message))
	case remembered:
		t.take(c, t.preparation.finishFiles(c, message))
	case recorder.PromptStored:
		t.take(c, t.kept.promptKept(c, message))
	case keepText:
		t.kept.sendText(c, t.speech.whole())
	case ntfy.Notifications:
		t.take(c, t.news.showNews(c, message))
	case newsLate:
		t.take(c, t.news.stop())
	case consultedHooks:
		t.take(c, t.hooks.handleOutcome(c, message))
	case weighed:
		t.take(c, t.exchange.decideStep(c, message))
	case planned:
		t.take(c, t.compaction.askHooks(c, message))
	case pruned:
		t.take(c, t.compaction.finishPruning(c, message))
	case compacted:
		t.take(c, t.compaction.finishCompaction(c, message))
	case model.Part:
		t.speech.part(c, message)
	case model.Quiet:
		t.recovery.tellPause(c, message)
	case model.Answered:
		t.receiveAnswer(c, message)
	case messages.Event:
		t.tell(c, message)
	case call.CallReport:
		t.take(c, t.round.callEnded(c, message))
	case PendingWords:
		t.interjected.wait(message)
	case Words:
		t.takeWords(c, message)
	case UseProvider:
		t.useProvider(c, message)
	case mail.Approve:
		t.approve(c, message)
	case CancelTurn:
		t.cancelTurn(c)
	case messages.Background:
		t.round.sendAway(c, message)
	case messages.VisitAgent:
		t.round.visit(c, message)
	case CompactTurn:
		t.wanted, t.compaction.focus = true, message.Focus
	case TimeUp:
		c.Request(t.input.Session, message)
	case ClockPaused:
		t.clockPaused(c, message)
	case patienceEnded:
		t.patienceEnded(c, message)
	case affordable:
		t.take(c, t.billing.affordable(c, message))
	case *actor.Stopping:
		t.hooks.cancelHooks()
		t.billing.pay(0) // a request that was abandoned costs nothing
	case ProviderLost:
		// the turn ignores the loss of a provider that it does not use
		if _, pid := t.respondent(); message.Who.Equal(pid) {
			t.receiveAnswer(c, model.Answered{Err: message.Reason})
		}
	case *actor.Terminated:
		task.MailTerminated(c, message)
	case task.ChildGone:
		t.take(c, t.round.workerGone(c, message))
	}
}

func (t *Turn) take(c actor.Context, next step) {
	switch next.to {
	case waits:
	case gathers:
		t.gather(c)
	case begins:
		t.begin(c)
	case asks:
		t.ask(c)
	case poses:
		t.pose(c)
	case weighs:
		t.phase = weighing
	case sends:
		t.send(c)
	case digests:
		t.phase = asking
		t.take(c, t.exchange.digest(c, next.answer))
	case prunes:
		t.phase = compacting
		t.compaction.prune(c)
	case compacts:
		t.phase = compacting
		t.compaction.beginCompaction(c)
	case summarizes:
		t.phase = compacting
		t.take(c, t.compaction.beginSummary(c, next.refused))
	case runs:
		if t.compaction.makeRoom(c, next) {
			t.phase = compacting
			return
		}
		t.phase = running
		t.round.begin(c, next.said, next.calls)
	case continues:
		t.askAgain(c)
	case completes:
		t.complete(c)
	case consults:
		if t.phase != leaving {
			t.phase = consulting
		}
	case ends:
		t.end(c, next.outcome, next.problem)
	case closes:
		t.finish(c, next.outcome, next.problem)
	}
}

// start applies the time limit and executes the agent.start hooks.
func (t *Turn) start(c actor.Context) {
	if limit := t.conversation.Policy.Limits.Time; limit > 0 {
		t.ends = t.Config.Now().Add(limit)
		task.After(c, limit, TimeUp{})
	}
	t.take(c, t.hooks.welcome(c))
}

// gather begins to collect files, tools and notifications for the first request.
func (t *Turn) gather(c actor.Context) {
	t.phase = preparing
	t.preparation.read(c, t.round.touched)
	t.preparation.choose(c)
	t.news.listen(c)
}

// begin executes the prompt's pending calls, or sends the request if no calls are pending. It does
// nothing while the preparation is incomplete.
func (t *Turn) begin(c actor.Context) {
	switch {
	case t.phase != preparing || t.missing != 0:
	case t.cancel:
		t.end(c, t.cancelled(), t.limit)
	case t.round.hasOpeningCalls():
		t.phase = running
		t.round.openPrompt(c)
	default:
		t.preparation.offerSkilled()
		t.preparation.inform(c)
		t.preparation.remind()
		t.ask(c)
	}
}

// askAgain continues the turn after a round: it prepares changed tools and files, fetches pending
// messages, or sends the next request.
func (t *Turn) askAgain(c actor.Context) {
	found, moved := t.round.takeFound()
	switch {
	case len(found) > 0 || moved:
		t.phase = preparing
		t.preparation.prepareChanges(c, found, moved, t.round.touched)
	case t.interjected.waiting:
		t.hear(c)
	default:
		t.preparation.remind()
		t.ask(c)
	}
}

// HandleFailure stops a worker that failed. [round.workerGone] supplies the result of the worker's
// call.
func (t *Turn) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, message any) {
	supervisor.StopChildren(child)
}

// mostSpoken is the maximum size of a turn's text in bytes, over all its rounds.
const mostSpoken = 32 << 20

// ask begins the next request to the model, unless a limit of the conversation is reached. The
// request has no tools once the rounds are used up.
func (t *Turn) ask(c actor.Context) {
	switch {
	case t.costLimitReached():
		t.end(c, messages.Incomplete, t.limit)
	case t.speech.spoken.Len() > mostSpoken:
		t.end(c, messages.Incomplete, fmt.Sprintf("the turn has produced more than %d MiB", mostSpoken>>20))
	default:
		t.take(c, t.hooks.announce(c))
	}
}

func (t *Turn) pose(c actor.Context) {
	if t.compaction.tidy(c) {
		t.phase = compacting
		return
	}
	t.take(c, t.exchange.pose(c))
}

func (t *Turn) send(c actor.Context) {
	t.phase, t.compaction.tidied = asking, false
	t.number++
	t.speech.begin()
	t.kept.logMessages(c)
	t.billing.put(c, t.exchange.question)
}

// receiveAnswer records an answer before it is processed.
func (t *Turn) receiveAnswer(c actor.Context, message model.Answered) {
	switch t.phase {
	case compacting:
		t.take(c, t.compaction.receiveSummary(c, message))
	case asking:
		t.exchange.receive(c, message)
		t.take(c, t.hooks.reportCost(c, message))
	}
}

func (t *Turn) useProvider(c actor.Context, message UseProvider) {
	if t.phase == compacting && !t.cancel {
		t.helper = message
		t.take(c, t.compaction.next(c))
		return
	}
	t.choice, t.provider = message.Choice, message.Pid
	if t.cancel {
		t.end(c, t.cancelled(), t.limit)
		return
	}
	t.ask(c)
}

func (t *Turn) approve(c actor.Context, message mail.Approve) {
	t.conversation.Policy.Approval = message.Mode
	t.mode = t.conversation.Policy.Mode()
	if t.mode.Planning { // after this round the model can present a plan
		t.round.found = append(t.round.found, t.tools.OfferedSince(t.mode, t.preparation.window, t.offered != nil, t.has)...)
	}
	for _, worker := range c.Children() {
		c.Send(worker, message)
	}
}

// hear fetches the session's pending messages. [Turn.takeWords] handles the reply.
func (t *Turn) hear(c actor.Context) {
	t.phase = hearing
	t.interjected.ask(c)
}

func (t *Turn) takeWords(c actor.Context, message Words) {
	if t.phase != hearing {
		return
	}
	if said := t.interjected.take(message); len(message.Said) > 0 {
		t.preparation.steered += "\n" + said
		t.round.moved = true // the user's text can trigger a rule
	}
	switch {
	case t.cancel:
		t.end(c, t.cancelled(), t.limit)
	case len(message.News)+len(message.Said) == 0 && t.interjected.answeredLast():
		t.take(c, t.hooks.farewell(c, t.speech.whole()))
	default:
		t.askAgain(c)
	}
}

// complete delivers due messages and runs the agent.stop hooks before the turn ends. If Marvin is
// exiting, the turn ends at once.
func (t *Turn) complete(c actor.Context) {
	if t.interjected.due && !t.exit {
		t.hear(c)
		return
	}
	if t.exit {
		t.end(c, messages.Completed, "")
		return
	}
	t.take(c, t.hooks.farewell(c, t.speech.whole()))
}

// cancelTurn ends the turn and keeps the model's text and every call's result.
func (t *Turn) cancelTurn(c actor.Context) {
	if t.cancel {
		return
	}
	t.cancel = true
	switch t.phase {
	case preparing:
		t.preparation.forgo()
		t.kept.forgo()
		if t.missing&theNews != 0 {
			t.news.stop()
		}
		t.begin(c)
	case weighing:
		t.end(c, t.cancelled(), t.limit)
	case asking, compacting:
		if t.billing.queued || t.phase == compacting && t.compaction.writes {
			t.end(c, t.cancelled(), t.limit)
			return
		}
		_, pid := t.respondent()
		c.Request(pid, model.Drop{})
	case consulting, leaving:
		t.hooks.cancelHooks()
	case hearing: // the session may already have sent messages that belong to this turn, so the turn waits for them
		task.After(c, t.Config.Tuning.CancelGrace, patienceEnded{round: t.number})
	case running:
		for _, child := range c.Children() {
			c.Send(child, call.CancelCall{})
		}
		task.After(c, t.Config.Tuning.CancelGrace, patienceEnded{round: t.number})
	}
}

// stopAt cancels the turn and records the limit as the reason.
func (t *Turn) stopAt(c actor.Context, limit string) {
	if t.cancel {
		return
	}
	t.limit = limit
	t.cancelTurn(c)
}

// patienceEnded stops the remaining workers, and [round.workerGone] supplies their results. If the
// session did not reply, patienceEnded ends the turn.
func (t *Turn) patienceEnded(c actor.Context, message patienceEnded) {
	switch {
	case message.round != t.number:
		return
	case t.phase == hearing:
		t.end(c, t.cancelled(), t.limit)
		return
	case t.phase != running:
		return
	}
	for _, child := range c.Children() {
		c.Stop(child)
	}
}

// end invokes the agent.end hooks. Afterward, the turn reports its outcome and stops.
func (t *Turn) end(c actor.Context, outcome messages.Outcome, problem string) {
	t.phase = leaving
	t.take(c, t.hooks.reportEnd(c, outcome, problem, t.speech.whole()))
}
