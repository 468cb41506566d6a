package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// A tool's question is shown when no earlier question is open. If the user does not answer before
// the deadline, Marvin uses the default answer. A request for consent has no deadline. The main
// conversation handles the questions of its sub-agents.

type (
	// unanswered says that the deadline of a question has passed.
	unanswered struct {
		ask      string
		deadline time.Time
	}
)

// mostShownDefault is the maximum length, in bytes, of a notice about a default answer.
const mostShownDefault = 300

// inquire asks a question. If there is no user to ask, inquire replies with the default answer.
func (q *questions) inquire(c actor.Context, question mail.AskUser) {
	inquiry, worker := question.Inquiry, c.Sender()
	asked := messages.Asked{
		Ask: question.Call, Kind: inquiry.Kind, Tool: question.Tool, Title: question.Title, Detail: question.Detail, Choices: []messages.Choice{messages.Yes, messages.No},
		Position: question.Position, Total: question.Of, Questions: inquiry.Questions, Fields: inquiry.Fields,
	}
	if policy := q.state.conversation.Policy; !policy.Person && !policy.Agent {
		reply := tools.Reply{Answer: asked.Stated(), Unanswered: "there is no user to ask"}
		q.tellStated(asked, reply)
		c.Send(worker, mail.Answered{Ask: question.Call, Reply: reply})
		return
	}
	q.put(c, question, asked)
}

func (q *questions) put(c actor.Context, question mail.AskUser, asked messages.Asked) {
	q.asked++
	q.asks[question.Call] = &pendingAsk{AskUser: question, worker: c.Sender(), number: q.asked, asked: asked}
	q.tellAsks(c)
	if q.state.conversation.Policy.Agent {
		c.Send(c.Parent(), call.QuestionRaised{Member: c.Self(), Question: question})
	}
}

// pending returns the open questions in the order of their numbers.
func (q *questions) pending() []*pendingAsk {
	return slices.SortedFunc(maps.Values(q.asks), func(a, b *pendingAsk) int { return cmp.Compare(a.number, b.number) })
}

// tellAsks shows the open questions. A question that must wait for an earlier question is not shown
// yet.
func (q *questions) tellAsks(c actor.Context) {
	for i, pending := range q.pending() {
		switch {
		case pending.told:
		case pending.Inquiry != nil && i > 0:
			return
		default:
			pending.told = true
			q.tellAsk(c, pending)
		}
	}
}

// tellAsk shows a question and starts its time limit.
func (q *questions) tellAsk(c actor.Context, pending *pendingAsk) {
	if pending.Inquiry != nil && !q.state.conversation.Policy.Agent {
		wait := pending.wait()
		pending.asked.Deadline = q.now().Add(wait)
		task.After(c, wait, unanswered{ask: pending.Call, deadline: pending.asked.Deadline})
	}
	q.tell(pending.asked)
}

func (p *pendingAsk) wait() time.Duration {
	if p.Inquiry.Wait <= 0 {
		return tools.DefaultWait
	}
	return p.Inquiry.Wait
}

// attend restarts the timer of a question.
func (q *questions) attend(c actor.Context, ask string) {
	pending := q.asks[ask]
	if pending == nil || pending.asked.Deadline.IsZero() {
		q.refuse(fmt.Sprintf("no question %q with a deadline is waiting for an answer", ask))
		return
	}
	q.tellAsk(c, pending)
}

func (q *questions) unanswered(c actor.Context, message unanswered) {
	pending := q.asks[message.ask]
	if pending == nil || !pending.asked.Deadline.Equal(message.deadline) {
		return // the question was answered, or its timer was restarted
	}
	reply := tools.Reply{Answer: pending.asked.Stated(), Unanswered: "nobody answered within " + pending.wait().String()}
	q.tellStated(pending.asked, reply)
	q.reply(c, pending, reply)
}

// answerInquiry accepts the user's answer if it is valid.
func (q *questions) answerInquiry(c actor.Context, pending *pendingAsk, answer messages.Answer) {
	whole, err := pending.asked.CompleteAnswer(answer)
	if err != nil {
		q.tell(messages.Notice{Level: messages.Warning, Text: "That does not answer the question: " + err.Error()})
		q.refuse(err.Error())
		return
	}
	if answer.Choice == messages.Yes { // CompleteAnswer ignores Chosen for any other choice
		for i, chosen := range answer.Chosen {
			q.state.recordTyped(withoutDefault(chosen, pending.asked.Questions[i]))
		}
	}
	q.state.recordTyped(answer.Text)
	whole.By = answer.By
	q.reply(c, pending, tools.Reply{Answer: whole})
}

// reply delivers the answer to the waiting call. If the user accepted a plan, the chosen approval
// mode is set before the model sees the answer.
func (q *questions) reply(c actor.Context, pending *pendingAsk, reply tools.Reply) {
	delete(q.asks, pending.Call)
	if pending.told {
		event := reply.ToEvent()
		event.Default = reply.Unanswered != "" || reply.Choice == messages.No && pending.Inquiry.Kind != messages.AskPlan
		q.tell(event)
	}
	if pending.Inquiry.Kind == messages.AskPlan && reply.Choice == messages.Yes && !q.state.conversation.Policy.Agent {
		q.approval.set(c, reply.Mode)
	}
	c.Send(pending.worker, mail.Answered{Ask: pending.Call, Reply: reply})
	q.tellAsks(c)
}

// retract closes a question that no call waits for.
func (q *questions) retract(c actor.Context, ask string) {
	pending := q.asks[ask]
	if pending == nil {
		return
	}
	delete(q.asks, ask)
	if pending.told {
		q.tell(messages.Answered{Ask: ask, Choice: messages.No})
	}
	if q.state.conversation.Policy.Agent {
		c.Send(c.Parent(), call.QuestionRetracted{Member: c.Self(), Ask: ask})
	}
	q.tellAsks(c)
}

// tellStated tells the user why a question was not answered and which default applies.
func (q *questions) tellStated(asked messages.Asked, reply tools.Reply) {
	taken := "the question has no default answer"
	switch words := describeAnswer(asked, reply.Answer); {
	case asked.Kind == messages.AskPlan:
		taken = "the call does not run"
	case words != "":
		taken = "taken as stated: " + words
	}
	text := fmt.Sprintf("%s: %s; %s.", asked.Title, reply.Unanswered, taken)
	if len(text) > mostShownDefault {
		text = strings.ToValidUTF8(text[:mostShownDefault], "") + "…"
	}
	q.tell(messages.Notice{Level: messages.Warning, Text: tools.Visible(strings.Join(strings.Fields(text), " "))})
}

func describeAnswer(asked messages.Asked, answer messages.Answer) string {
	var words []string
	for _, chosen := range answer.Chosen {
		if !chosen.Empty() {
			words = append(words, chosen.String())
		}
	}
	for _, field := range asked.Fields {
		if value, ok := answer.Values[field.Name]; ok {
			words = append(words, fmt.Sprintf("%s %v", field.Name, value))
		}
	}
	return strings.Join(words, "; ")
}

func (q *questions) relayed(c actor.Context, message mail.RelayedDecision) {
	if pending := q.asks[message.Answer.Ask]; pending != nil && pending.Inquiry != nil {
		q.reply(c, pending, message.Reply)
		return
	}
	q.settle(c, message.Answer, message.Person)
}

// withoutDefault returns the text that the user typed, without the default. The model wrote the
// default, and a front end may have put it into the input line.
func withoutDefault(chosen messages.Chosen, question messages.Question) string {
	text := chosen.Text
	for _, word := range append(question.Default, question.Stated().Text) {
		if word != "" {
			text = strings.ReplaceAll(text, word, " ")
		}
	}
	return text
}
