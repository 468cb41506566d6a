package session

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/messages"
	"marvin/tools/hooks"
)

type pendingAsk struct {
	mail.AskUser
	worker *actor.PID
	number int // questions are shown in the order of their numbers
	asked  messages.Asked
	told   bool
}

// questions manages the questions that await the user's answer, and the resulting permissions.
type questions struct {
	*emitter
	approval *approval
	hooks    *sessionHooks
	asks     map[string]*pendingAsk // the open questions, keyed by id
	asked    int                    // the number of questions so far
	hinted   bool                   // the user has seen the hint about the approval mode
}

// modeHint is shown with the first question about a command that can run in the sandbox.
const modeHint = "To run commands in the sandbox without asking: /approve auto (F4 or Alt-a on the full screen)."

func (s *session) receiveQuestion(c actor.Context, message any) {
	switch message := message.(type) {
	case mail.AskUser:
		s.questions.ask(c, message)
	case mail.Answered: // the session itself asked the question
		if message.Ask != filesQuestion {
			s.undoing.handleAnswer(c, message)
		} else if s.files.asking {
			s.setMode(s.files.applyAnswer(c, message.Choice))
			s.startNextTurn(c)
		}
	case mail.RelayedDecision:
		s.questions.relayed(c, message)
	case mail.Retract:
		s.questions.retract(c, message.Ask)
	case mail.NoWindowOpen:
		s.files.withdrawQuestion(c)
	case unanswered:
		s.questions.unanswered(c, message)
	case filesKept:
		if message.err != nil {
			s.warn("The answer applies now, but Marvin could not save it for the next start: " + message.err.Error())
		}
	}
}

func (q *questions) op(c actor.Context, op any) {
	switch op := op.(type) {
	case messages.Answer:
		q.answer(c, op)
	case messages.Attend:
		q.attend(c, op.Ask)
	case messages.ListGrants:
		q.tellGrants()
	case messages.Revoke:
		q.revoke(op.Grant)
	}
}

// ask settles a question by policy or by an earlier permission, or shows it to the user.
func (q *questions) ask(c actor.Context, question mail.AskUser) {
	if question.Inquiry != nil {
		q.inquire(c, question)
		return
	}
	worker, policy := c.Sender(), q.state.conversation.Policy
	if question.NoSandbox != "" {
		q.noSandbox(question.NoSandbox)
	}
	switch {
	case !policy.Person:
		c.Send(worker, mail.Answered{Ask: question.Call, Choice: messages.No})
		return
	case !question.Firm && question.Tool != "" && q.state.grants.cover(question.Scope):
		c.Send(worker, mail.Answered{Ask: question.Call, Choice: messages.Yes})
		return
	}
	choices := []messages.Choice{messages.Yes, messages.Always, messages.No}
	if question.Firm || question.Held && q.state.grants.homeless {
		question.Always = ""
	}
	if question.Host != "" {
		question.Always = "any data from this conversation to " + question.Host
	}
	if question.Held && !q.hinted {
		q.hinted = true
		question.Detail += "\n" + modeHint
	}
	if question.Always == "" {
		choices = []messages.Choice{messages.Yes, messages.No}
	}
	q.hooks.observe(c, hooks.PermissionAsked, hooks.HookInput{Tool: question.Tool, Asked: question.Title, Reason: question.Detail})
	q.put(c, question, messages.Asked{
		Ask: question.Call, Kind: messages.AskConsent, Tool: question.Tool, Title: question.Title, Detail: question.Detail, Diff: question.Diff,
		Choices: choices, Always: question.Always, More: question.More, Host: question.Host, Position: question.Position, Total: question.Of,
	})
}

func (q *questions) answer(c actor.Context, answer messages.Answer) {
	pending := q.asks[answer.Ask]
	switch {
	case pending == nil || !pending.told:
		q.refuse(fmt.Sprintf("no question %q is waiting for an answer; it was answered already, or it never existed", answer.Ask))
		return
	case answer.CheckDigest(pending.asked) != nil:
		q.refuse(answer.CheckDigest(pending.asked).Error())
		q.tell(pending.asked)
		return
	case pending.Inquiry != nil:
		q.answerInquiry(c, pending, answer)
		return
	}
	q.settle(c, answer, true)
}

// settle sends an answer to the call that asked. byUser is false if an earlier permission supplies
// the answer. The answer "always" also settles the other questions that it covers.
func (q *questions) settle(c actor.Context, answer messages.Answer, byUser bool) {
	pending, ok := q.asks[answer.Ask]
	if !ok {
		return // the question is already settled, by a cancellation or by another front end
	}
	delete(q.asks, answer.Ask)
	more := answer.Choice == messages.Always && pending.Always != "" && pending.Tool != ""
	if more {
		q.state.grants.allow(pending.AskUser, q.state.known)
		q.tellGrants()
	}
	if pending.told {
		q.tell(messages.Answered{Ask: answer.Ask, Choice: answer.Choice, Text: answer.Text, By: answer.By})
	}
	c.Send(pending.worker, mail.Answered{Ask: answer.Ask, Choice: answer.Choice, Text: answer.Text, Person: byUser})
	defer q.tellAsks(c)
	if !more {
		return
	}
	for _, waiting := range q.pending() {
		sent := waiting.Only && waiting.Host != "" && waiting.Host == pending.Host
		if sent || !waiting.Firm && waiting.Tool != "" && q.state.grants.cover(waiting.Scope) {
			q.settle(c, messages.Answer{Ask: waiting.Call, Choice: messages.Yes}, false)
		}
	}
}

func (q *questions) close() {
	for ask, pending := range q.asks {
		delete(q.asks, ask)
		if pending.told {
			q.tell(messages.Answered{Ask: ask, Choice: messages.No})
		}
	}
}

func (q *questions) revoke(number int) {
	if !q.state.grants.revoke(number, q.state.known) {
		q.tell(messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("No permission has the number %d.", number)})
		q.refuse(fmt.Sprintf("no permission has the number %d; \"list_grants\" returns the numbers", number))
		return
	}
	q.tellGrants()
}

func (q *questions) forgetGrants() {
	if q.state.grants.forget(q.state.known) {
		q.tellGrants()
	}
}

// noSandbox withdraws the permissions that apply only to commands in a sandbox.
func (q *questions) noSandbox(why string) {
	if q.state.grants.homeless {
		return
	}
	fewer := q.state.grants.withdrawSandboxed()
	q.tell(messages.Notice{Level: messages.Warning, Text: "There is no sandbox here, so every command needs your approval: " + why})
	if fewer {
		q.tellGrants()
	}
}

func (q *questions) tellGrants() { q.tell(q.state.grants.event()) }
