package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/callorder"
	"marvin/actors/internal/kernel"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/undo"
)

// reverser makes the calls of an undo plan, one at a time. The user's agreement to the plan does
// not exempt the calls from hooks, rules, the approval mode or recording.
type reverser struct {
	services  call.Services
	situation call.Situation // the state of the conversation before the next call
	plan      *undo.Plan
	journal   *undolog.Journal
	at        int
	running   *actor.PID
	ended     bool // the current call has reported its end
	stopped   bool // the user canceled the undo
	err       error
}

// outcomeStored says that the outcome of a call was written to the journal.
type outcomeStored struct{ err error }

func (u *undoing) reverse(c actor.Context) {
	conversation := u.state.conversation
	conversation.Undo = nil                                               // the inverse calls are recorded in reverser.journal
	conversation.Name, conversation.Stored = conversation.HookName(), nil // the inverse calls are not part of the conversation
	mode := conversation.Policy.Mode()
	mode.Coding = true // all tools are needed
	with := call.Services{Config: u.Config, Pools: u.Pools, Servers: u.Servers, Recorder: u.Recorder, Session: c.Self(), Jobs: u.Jobs, OpenSession: openSub(u.Deps)}
	begin := call.Situation{
		Tools: u.Config.Tools.Snapshot().WithUndoing(), Mode: mode, Conversation: conversation, Usage: u.state.usage, History: u.state.committed,
		Seen: u.state.seen, Tainted: u.state.tainted, Known: u.state.known, Room: tools.ResultLimits.Tokens,
	}
	plan, journal := u.taking.plan, u.taking.journal
	u.asked++
	pid, err := c.SpawnNamed(kernel.Props(u.Config.Log, func() actor.Actor {
		return &reverser{services: with, situation: begin, plan: plan, journal: journal, at: -1}
	}), fmt.Sprintf("undo-%d", u.asked))
	if err != nil {
		panic(err)
	}
	u.taking.calls = pid
}

func (r *reverser) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		r.makeNextCall(c)
	case call.CallReport:
		r.callEnded(c, message)
	case messages.Notice:
		c.Send(c.Parent(), message)
	case outcomeStored:
		r.err = errors.Join(r.err, message.err)
		r.makeNextCall(c)
	case messages.Cancel:
		r.stopped = true
		if r.running != nil {
			c.Send(r.running, call.CancelCall{})
		}
	case *actor.Terminated:
		task.MailTerminated(c, message)
	case task.ChildGone:
		if r.running != nil && message.Who.Equal(r.running) && !r.ended {
			r.fail(c, "the undo crashed inside Marvin; its effect is unknown")
		}
	}
}

// makeNextCall makes the next call, skipping refused calls. After the last call, makeNextCall
// reports the result to the session.
func (r *reverser) makeNextCall(c actor.Context) {
	r.running = nil
	for r.at++; r.at < len(r.plan.Calls); r.at++ {
		step := r.plan.Calls[r.at]
		if step.Refused != "" {
			continue
		}
		if r.stopped {
			step.RecordFailure("the undo stopped before this call")
			continue
		}
		with, situation := r.services, r.situation
		back := messages.ToolCall{ID: fmt.Sprintf("undo-%s-%d", c.Self().Id, r.at), Name: step.Back.Tool, Args: step.Back.Args}
		place := call.Place{Of: 1, Line: &callorder.Order{}}
		r.ended = false
		r.running = c.Spawn(kernel.Props(with.Config.Log, func() actor.Actor { return call.New(with, situation, back, place) }))
		return
	}
	c.Send(c.Parent(), reversed{err: r.err})
	c.Stop(c.Self())
}

func (r *reverser) callEnded(c actor.Context, message call.CallReport) {
	if r.ended {
		return
	}
	r.ended = true
	if message.Event.Status != messages.OK {
		r.fail(c, call.FirstLine(message.Event.Text))
		return
	}
	changed := message.Effect
	if changed.Profile != "" {
		r.situation.Conversation.Profile = changed.Profile
		c.Send(c.Parent(), mail.ProfileChanged{Name: changed.Profile})
	}
	step, plan, journal := r.plan.Calls[r.at], r.plan, r.journal
	task.Do(c, func() any { return outcomeStored{err: plan.RecordDone(step, journal, changed.Undo)} }, func(panicked *task.Panicked) any { return outcomeStored{err: panicked} })
}

func (r *reverser) fail(c actor.Context, why string) {
	r.plan.Calls[r.at].RecordFailure(why)
	r.makeNextCall(c)
}

// HandleFailure stops a child that panicked. After the child has ended, Receive records a failed
// call.
func (r *reverser) HandleFailure(_ *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, _, _ any) {
	supervisor.StopChildren(child)
}

// endIfGone is called when a child of the session has ended. If the child was undoing calls,
// endIfGone ends the undo and returns true.
func (u *undoing) endIfGone(c actor.Context, who *actor.PID, reason error) bool {
	if !u.reversing() || !who.Equal(u.taking.calls) {
		return false
	}
	if reason == nil {
		reason = context.Canceled
	}
	u.reportUndo(c, reversed{err: reason})
	return true
}
