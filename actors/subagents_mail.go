package actors

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// memberSaid is what a front end does with events, for one that only waits.
func (s *subAgents) memberSaid(c actor.Context, message memberSaid) {
	one := s.members[message.position]
	one.told.hear(message.event, message.words)
	s.readAlong(c, one)
	switch event := message.event.(type) {
	case messages.ToolsCalled:
		one.report.Rounds++
	case messages.ToolStarted:
		one.doing = event.Title
	case messages.UsageChanged:
		one.report.Usage = event.Usage
	case messages.TurnEnded:
		one.report.Outcome, one.report.Text, one.report.Err, one.report.Usage = event.Outcome, event.Text, event.Err, event.Usage
		if one.stopped && event.Outcome != messages.Completed {
			one.report.Outcome, one.report.Err = messages.Cancelled, stoppedByPerson
		}
		one.timedOut()
		c.Send(one.pid, messages.Quit{})
		return
	default:
		return
	}
	s.tellOf(c, one)
}

// approve sets the approval mode of present and later sub-agents.
func (s *subAgents) approve(c actor.Context, mode messages.Approval) {
	if s == nil {
		return
	}
	s.conversation.Policy.Approval = mode
	for _, one := range s.members {
		if one != nil && one.pid != nil {
			c.Send(one.pid, messages.SetApproval{Mode: mode})
		}
	}
}

// raised is a question of a sub-agent's session on its way up.
type raised struct {
	member   *actor.PID
	question askUser
}

// raise passes a question up: only the main conversation has a user, and earlier permissions are
// there.
func (s *subAgents) raise(c actor.Context, message raised) {
	one, asked := s.members[s.positions[message.member.Id]], message.question
	name := fmt.Sprintf("%s.%d.%s", s.call, one.number, asked.call)
	s.asks[name] = question{member: one, ask: asked.call}
	one.state = messages.AgentAsking
	asked.call, asked.title = name, fmt.Sprintf("%s (sub-agent %s)", asked.title, one.task.Name)
	c.Request(s.session, asked)
	s.tellOf(c, one)
}

// lower takes back what a sub-agent raised: one question, or with no name all of them.
func (s *subAgents) lower(c actor.Context, one *member, ask string) {
	for name, asked := range s.asks {
		if asked.member == one && (ask == "" || asked.ask == ask) {
			delete(s.asks, name)
			c.Send(s.session, retract{ask: name})
		}
	}
}

// asking says whether one of them waits for a person.
func (s *subAgents) asking() bool { return s != nil && len(s.asks) > 0 }

// settled hands a decision down to the sub-agent that asked.
func (s *subAgents) settled(c actor.Context, decision granted) {
	if s == nil || s.asks[decision.ask].member == nil {
		return // taken back meanwhile
	}
	asked := s.asks[decision.ask]
	delete(s.asks, decision.ask)
	asked.member.state = messages.AgentWorking
	choice := decision.choice
	if choice == messages.Always { // which is kept above
		choice = messages.Yes
	}
	decision.reply.Ask = asked.ask
	c.Send(asked.member.pid, relayed{answer: messages.Answer{Ask: asked.ask, Choice: choice, Text: decision.text}, person: decision.person, reply: decision.reply})
	s.tellOf(c, asked.member)
}

// tellOf shows how a sub-agent is doing.
func (s *subAgents) tellOf(c actor.Context, one *member) {
	one.paused.count(one.state == messages.AgentAsking, s.config.Now)
	usage := one.report.Usage
	c.Send(c.Parent(), messages.AgentChanged{
		Call: s.call, Agent: one.number, Name: tools.Visible(one.task.Name), State: one.state, Doing: one.doing,
		Rounds: one.report.Rounds, Tokens: usage.InputTokens + usage.OutputTokens, Cost: usage.Cost, Took: s.config.Now().Sub(one.begun),
		Result: resultOf(one),
	})
}

// resultOf is the first line of an ended sub-agent's report, or its error.
func resultOf(one *member) string {
	if one.report.Outcome == "" {
		return ""
	}
	for line := range strings.Lines(cmp.Or(one.report.Err, one.report.Text)) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "#> ")); line != "" {
			return inShort(tools.Visible(line), longestResult)
		}
	}
	return ""
}

// longestResult limits the report's part of a line, in characters.
const longestResult = 200
