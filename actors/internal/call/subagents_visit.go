package call

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// The user can look at a sub-agent, or stop it. The user's request goes from the session to the
// turn, and from the turn to the call that started the sub-agent.

const (
	NoSuchAgent     = "That sub-agent has ended; its report is in the result of the call that started it."
	agentWaits      = "That sub-agent has not started yet: it is waiting for a free slot."
	stoppedByPerson = "stopped by the user"
)

// visit responds to the user's request to see or stop a sub-agent.
func (s *subAgents) visit(c actor.Context, wish messages.VisitAgent) {
	note := func(text string) {
		if !wish.More {
			c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: text})
		}
	}
	if s == nil || wish.Agent < 1 || wish.Agent > len(s.agents) {
		note(NoSuchAgent)
		return
	}
	one := s.agents[wish.Agent-1]
	switch {
	case one == nil || wish.Stop && one.state == messages.AgentWaiting:
		note(agentWaits)
	case wish.Stop:
		one.halt(c, note)
	case wish.More:
		s.showMore(c, one)
	default:
		s.show(c, one, false)
	}
}

// show sends the user the prompt and the recent conversation of a sub-agent.
func (s *subAgents) show(c actor.Context, one *agent, more bool) {
	one.along.seen = one.told.number
	c.Send(c.Parent(), messages.AgentShown{
		Call: s.call, Agent: one.number, Name: tools.Visible(one.task.Name), State: one.state, Text: one.told.text(one.task.Prompt), More: more,
	})
}

// halt terminates one sub-agent. The others continue.
func (one *agent) halt(c actor.Context, note func(string)) {
	switch {
	case one.state != messages.AgentWorking && one.state != messages.AgentAsking:
		note(NoSuchAgent)
	case one.pid != nil:
		one.stopped = true
		c.Send(one.pid, messages.Quit{})
	case one.stop != nil: // the sub-agent runs on another machine, or is an external program
		one.stopped = true
		one.stop()
	}
}

// ownContext derives the context of one sub-agent from s.life, and stores the cancel function in
// the sub-agent's stop field.
func (s *subAgents) ownContext(one *agent) context.Context {
	life, stop := context.WithCancel(s.life)
	one.stop = stop
	return life
}
