package call

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/disclosure"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// This file runs sub-agents on other machines, as tasks for the fleet. A fleet worker's messages
// reach the call like messages from a session in this process.

// errNoFleet says that no fleet is configured.
var errNoFleet = errors.New("there is no fleet; the user can add one under \"fleet:\" in config.yaml (marvin help fleet); launch the task on this machine")

type (
	// remoteProgress is the progress of a task on another machine.
	remoteProgress struct {
		position int
		doing    tools.TaskProgress
	}
	remoteEnded struct {
		position int
		report   tools.Report
	}
)

func (s *subAgents) dispatchRemote(c actor.Context, position int, one *agent) {
	errand, err := s.errand(one)
	if err != nil {
		one.report = tools.Report{Outcome: messages.Failed, Err: err.Error()}
		s.completeReport(c, one)
		return
	}
	fleet := s.Config.Models.Fleet
	s.runRemote(c, position, one, func(life context.Context, say func(tools.TaskProgress)) tools.Report {
		return fleet.Do(life, errand, say)
	})
}

// runRemote runs an agent outside this process. The worker receives progress and the report as
// messages.
func (s *subAgents) runRemote(c actor.Context, position int, one *agent, run func(context.Context, func(tools.TaskProgress)) tools.Report) {
	s.tellOf(c, one)
	self, root, life := c.Self(), c.ActorSystem().Root, s.ownContext(one)
	say := func(doing tools.TaskProgress) { root.Send(self, remoteProgress{position: position, doing: doing}) }
	task.Do(c, func() any {
		return remoteEnded{position: position, report: run(life, say)}
	}, func(panicked *task.Panicked) any {
		return remoteEnded{position: position, report: tools.Report{Outcome: messages.Failed, Err: panicked.Error()}}
	})
}

// errand returns the task and the limits that the fleet receives for a sub-agent. It fails if the
// conversation contains private text, because the provider of the fleet's worker is unknown.
func (s *subAgents) errand(one *agent) (conv.RemoteTask, error) {
	if s.Config.Models.Fleet == nil {
		return conv.RemoteTask{}, errNoFleet
	}
	sent, left, err := s.restricted(one, "no fleet")
	if err != nil {
		return conv.RemoteTask{}, err
	}
	policy := s.Conversation.Policy
	limits := conv.Limits{Rounds: policy.MaxRounds(), Time: policy.Limits.Time}
	if sent.Rounds > 0 {
		limits.Rounds = min(limits.Rounds, sent.Rounds)
	}
	limits.Cost = left
	return conv.RemoteTask{Call: s.name, Number: one.number, Task: sent, Limits: limits}, nil
}

// restricted applies the conversation's restrictions to the task of a sub-agent that runs outside
// this process. It also returns what remains of the cost limit, or 0 if there is no limit.
// restricted fails if the cost limit has been reached, or if the conversation contains private
// data.
func (s *subAgents) restricted(one *agent, to string) (sent tools.Task, left float64, err error) {
	places := append([]string{s.Conversation.Dir}, s.Conversation.PrivateDirs...)
	if dirs := s.Config.PrivateDirs(append(places, messages.Places(s.History)...)); len(dirs) > 0 {
		return sent, 0, fmt.Errorf("this conversation contains data from %s, which config.yaml marks as private so that only %s may receive it", strings.Join(dirs, ", "), to)
	}
	sent = one.task
	policy := s.Conversation.Policy
	sent.ReadOnly = sent.ReadOnly || policy.ReadOnly
	sent.Tools = intersection(policy.Only, sent.Tools)
	if policy.Limits.Cost > 0 {
		if left = policy.Limits.Cost - s.Conversation.Spending.Total(); left <= 0 {
			return sent, 0, fmt.Errorf("the cost limit of $%g has been reached", policy.Limits.Cost)
		}
	}
	return sent, left, nil
}

func (s *subAgents) awaySaid(c actor.Context, message remoteProgress) {
	one := s.agents[message.position]
	if one.report.Outcome != "" {
		return
	}
	one.doing = tools.Visible(message.doing.Title)
	one.report.Rounds = max(one.report.Rounds, message.doing.Rounds)
	if message.doing.Usage.Cost >= one.report.Usage.Cost {
		one.report.Usage = message.doing.Usage
	}
	s.follow(c, one, message.doing)
	s.tellOf(c, one)
}

// awayEnded handles the report of a sub-agent that ran outside this process. Anyone with write
// access to the fleet's server could have forged the report.
func (s *subAgents) awayEnded(c actor.Context, message remoteEnded) {
	one := s.agents[message.position]
	if one.state != messages.AgentWorking && one.state != messages.AgentAsking {
		s.Conversation.Spending.Pay(message.report.Usage.Cost)
		return // the task was abandoned earlier
	}
	rounds := one.report.Rounds
	one.report, one.heard = message.report, "launch_agent"
	s.overspent(one)
	if one.report.Rounds = max(rounds, message.report.Rounds); one.stopped && one.report.Outcome != messages.Completed {
		one.report.Outcome, one.report.Err = messages.Cancelled, stoppedByPerson
	}
	one.noteTimeout()
	one.stop()
	s.Conversation.Spending.Pay(one.report.Usage.Cost)
	tellSentOut(c, s.Session, one)
	s.completeReport(c, one)
	s.acquireSlot(c)
}

// tellSentOut tells the session how many requests a sub-agent made outside this process.
func tellSentOut(c actor.Context, session *actor.PID, one *agent) {
	usage := one.report.Usage
	if usage.Turns == 0 {
		return
	}
	c.Send(session, mail.RequestSent{Sent: sessionlog.Sent{
		For: "sub-agent " + disclosure.FirstLine(tools.Visible(one.task.Name), 40), Model: "fleet", Host: "a worker of the fleet", Requests: usage.Turns, Input: usage.InputTokens,
	}})
}
