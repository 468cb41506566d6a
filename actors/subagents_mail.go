package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// memberSaid is what a front end does with events, for one that only waits.
func (w *worker) memberSaid(c actor.Context, message memberSaid) {
	one := w.subAgents.members[message.position]
	switch event := message.event.(type) {
	case messages.ToolsCalled:
		one.report.Rounds++
	case messages.ToolStarted:
		one.doing = event.Title
	case messages.UsageChanged:
		one.report.Usage = event.Usage
	case messages.TurnEnded:
		one.report.Outcome, one.report.Text, one.report.Err, one.report.Usage = event.Outcome, event.Text, event.Err, event.Usage
		c.Send(one.pid, messages.Quit{})
		return
	default:
		return
	}
	w.tellOf(c, one)
}

// raised is a question of a sub-agent's session on its way up.
type raised struct {
	member   *actor.PID
	question askUser
}

// raise passes a question up: only the main conversation has somebody to ask, and what
// they allowed before counts there.
func (w *worker) raise(c actor.Context, message raised) {
	one, asked := w.subAgents.members[w.subAgents.positions[message.member.Id]], message.question
	name := fmt.Sprintf("%s.%d.%s", w.call.ID, one.number, asked.call)
	w.subAgents.asks[name] = question{member: one, ask: asked.call}
	w.asks()
	one.state = messages.AgentAsking
	asked.call, asked.title = name, fmt.Sprintf("%s (sub-agent %s)", asked.title, one.task.Name)
	c.Request(w.session, asked)
	w.tellOf(c, one)
}

// settled hands a decision down to the sub-agent that asked.
func (w *worker) settled(c actor.Context, decision granted) {
	if w.subAgents == nil || w.subAgents.asks[decision.ask].member == nil {
		return // taken back meanwhile
	}
	asked := w.subAgents.asks[decision.ask]
	delete(w.subAgents.asks, decision.ask)
	w.asks()
	asked.member.state = messages.AgentWorking
	choice := decision.choice
	if choice == messages.Always { // which is kept above
		choice = messages.Yes
	}
	decision.reply.Ask = asked.ask
	c.Send(asked.member.pid, relayed{answer: messages.Answer{Ask: asked.ask, Choice: choice, Text: decision.text}, person: decision.person, reply: decision.reply})
	w.tellOf(c, asked.member)
}

// tellOf shows how a sub-agent is doing.
func (w *worker) tellOf(c actor.Context, one *member) {
	usage := one.report.Usage
	c.Send(c.Parent(), messages.AgentChanged{
		Call: w.call.ID, Agent: one.number, Name: tools.Visible(one.task.Name), State: one.state, Doing: one.doing,
		Rounds: one.report.Rounds, Tokens: usage.InputTokens + usage.OutputTokens, Cost: usage.Cost, Took: w.config.Now().Sub(one.begun),
	})
}

// mailed is the audience of a sub-agent's session: the worker. The words that stream
// by are left out, because the whole answer comes with the end of the turn.
type mailed struct {
	root     *actor.RootContext
	worker   *actor.PID
	position int
}

// Push implements audience.
func (m mailed) Push(envelope messages.Envelope) {
	switch envelope.Event.(type) {
	case messages.Text, messages.Thinking, messages.ToolOutput, messages.AgentChanged:
	default:
		m.root.Send(m.worker, memberSaid{position: m.position, event: envelope.Event})
	}
}

// Close implements audience.
func (m mailed) Close() {}
