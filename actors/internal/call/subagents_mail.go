package call

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/disclosure"
	"marvin/actors/internal/mail"
	"marvin/messages"
	"marvin/tools"
)

// memberSaid handles an event from a sub-agent, as a front end would.
func (s *subAgents) memberSaid(c actor.Context, message agentSaid) {
	one := s.agents[message.position]
	one.told.addEvent(message.event, message.words)
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
		one.noteTimeout()
		c.Send(one.pid, messages.Quit{})
		return
	default:
		return
	}
	s.tellOf(c, one)
}

// approve applies the approval mode to running and future sub-agents.
func (s *subAgents) approve(c actor.Context, mode messages.Approval) {
	if s == nil {
		return
	}
	s.Conversation.Policy.Approval = mode
	for _, one := range s.agents {
		if one != nil && one.pid != nil {
			c.Send(one.pid, messages.SetApproval{Mode: mode})
		}
	}
}

// QuestionRaised carries a question that a sub-agent's session wants to ask the user.
type QuestionRaised struct {
	Member   *actor.PID
	Question mail.AskUser
}

// raise sends a sub-agent's question to the main conversation. Only the main conversation can ask
// the user, and it also knows the user's earlier answers.
func (s *subAgents) raise(c actor.Context, message QuestionRaised) {
	one, asked := s.agents[s.positions[message.Member.Id]], message.Question
	name := fmt.Sprintf("%s.%d.%s", s.call, one.number, asked.Call)
	s.asks[name] = question{member: one, ask: asked.Call}
	one.state = messages.AgentAsking
	asked.Call, asked.Title = name, fmt.Sprintf("%s (sub-agent %s)", asked.Title, one.task.Name)
	c.Request(s.Session, asked)
	s.tellOf(c, one)
}

// withdrawQuestion withdraws the sub-agent's question with the given id. If the id is empty,
// withdrawQuestion withdraws all questions of the sub-agent.
func (s *subAgents) withdrawQuestion(c actor.Context, one *agent, ask string) {
	for name, asked := range s.asks {
		if asked.member == one && (ask == "" || asked.ask == ask) {
			delete(s.asks, name)
			c.Send(s.Session, mail.Retract{Ask: name})
		}
	}
}

func (s *subAgents) asking() bool { return s != nil && len(s.asks) > 0 }

func (s *subAgents) passDecision(c actor.Context, decision mail.Answered) {
	if s == nil || s.asks[decision.Ask].member == nil {
		return // no sub-agent waits for this answer
	}
	asked := s.asks[decision.Ask]
	delete(s.asks, decision.Ask)
	asked.member.state = messages.AgentWorking
	choice := decision.Choice
	if choice == messages.Always { // the main conversation has already stored the permission
		choice = messages.Yes
	}
	decision.Reply.Ask = asked.ask
	c.Send(asked.member.pid, mail.RelayedDecision{Answer: messages.Answer{Ask: asked.ask, Choice: choice, Text: decision.Text}, Person: decision.Person, Reply: decision.Reply})
	s.tellOf(c, asked.member)
}

func (s *subAgents) tellOf(c actor.Context, one *agent) {
	one.paused.Count(one.state == messages.AgentAsking, s.Config.Now)
	usage := one.report.Usage
	c.Send(c.Parent(), messages.AgentChanged{
		Call: s.call, Agent: one.number, Name: tools.Visible(one.task.Name), State: one.state, Doing: one.doing,
		Rounds: one.report.Rounds, Tokens: usage.InputTokens + usage.OutputTokens, Cost: usage.Cost, Took: s.Config.Now().Sub(one.begun),
		Result: resultOf(one),
	})
}

// resultOf returns the first line of a sub-agent's error. If there is no error, resultOf returns
// the first line of the report. For a sub-agent that is still running, resultOf returns "".
func resultOf(one *agent) string {
	if one.report.Outcome == "" {
		return ""
	}
	for line := range strings.Lines(cmp.Or(one.report.Err, one.report.Text)) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "#> ")); line != "" {
			return disclosure.FirstLine(tools.Visible(line), longestResult)
		}
	}
	return ""
}

// longestResult is the maximum length of a result in a status line, in characters.
const longestResult = 200
