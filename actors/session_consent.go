package actors

import (
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/hooks"
)

// askUser wants a person's consent; the asker gets granted.
type askUser struct {
	call, tool    string
	title, detail string
	position, of  int    // of the call in its reply, from 1; 0 for what is no call
	diff          bool   // the detail ends with a unified diff of what the call would do
	more          string // what the person may look at first
	firm          bool   // only a person's yes to this very call will do
	scope         tools.Scope
	always        string         // what that choice would cover, in words; "" for none
	held          bool           // what it covers would run in the sandbox
	noSandbox     string         // why there is no sandbox, which the question is because of
	host          string         // where data would leave to: then always is for this host
	only          bool           // and nothing else is asked about
	inquiry       *tools.Inquiry // what is asked instead of consent
}

// pendingAsk is a question that nobody answered yet.
type pendingAsk struct {
	askUser
	worker *actor.PID
	number int // they are settled in this order
	asked  messages.Asked
	told   bool
}

// allowed is one thing that a person allowed by always.
type allowed struct {
	tools.Grant
	host   string // to which everything may be sent; then there is no Grant
	number int
	held   bool // in the sandbox
}

// grants is what is allowed in a conversation without another question.
type grants struct {
	list     []allowed
	last     int  // number
	homeless bool // there is no sandbox, so that commands are asked about each time
}

func (g *grants) cover(scope tools.Scope) bool {
	var list []tools.Grant
	for _, each := range g.list {
		if each.host == "" {
			list = append(list, each.Grant)
		}
	}
	return tools.Covers(list, scope)
}

// ask settles a question by policy or by an earlier grant, or puts it to the person.
func (s *session) ask(c actor.Context, question askUser) {
	if question.inquiry != nil {
		s.inquire(c, question)
		return
	}
	worker, policy := c.Sender(), s.state.conversation.Policy
	if question.noSandbox != "" {
		s.noSandbox(question.noSandbox)
	}
	switch {
	case !policy.Person:
		c.Send(worker, granted{ask: question.call, choice: messages.No})
		return
	case !question.firm && question.tool != "" && s.state.grants.cover(question.scope):
		c.Send(worker, granted{ask: question.call, choice: messages.Yes})
		return
	}
	choices := []messages.Choice{messages.Yes, messages.Always, messages.No}
	if question.firm || question.held && s.state.grants.homeless {
		question.always = ""
	}
	if question.host != "" {
		question.always = "everything that is sent to " + question.host + ", in this conversation"
	}
	if question.always == "" {
		choices = []messages.Choice{messages.Yes, messages.No}
	}
	s.observe(c, hooks.PermissionAsked, hooks.Said{Tool: question.tool, Asked: question.title, Reason: question.detail})
	s.put(c, question, messages.Asked{
		Ask: question.call, Kind: messages.AskConsent, Tool: question.tool, Title: question.title, Detail: question.detail, Diff: question.diff,
		Choices: choices, Always: question.always, More: question.more, Host: question.host, Position: question.position, Total: question.of,
	})
}

func (s *session) answer(c actor.Context, answer messages.Answer) {
	pending := s.asks[answer.Ask]
	switch {
	case pending == nil || !pending.told:
		s.refuse(fmt.Sprintf("no question %q waits; it was settled, or there was none", answer.Ask))
		return
	case pending.inquiry != nil:
		s.answerInquiry(c, pending, answer)
		return
	}
	s.settle(c, answer, true)
}

// settle passes a decision on. person says that somebody looked at the call, rather than
// allowed what covers it before. What waits and is covered now is settled as well.
func (s *session) settle(c actor.Context, answer messages.Answer, person bool) {
	pending, ok := s.asks[answer.Ask]
	if !ok {
		return // settled meanwhile, by a cancel or by another front end
	}
	delete(s.asks, answer.Ask)
	more := answer.Choice == messages.Always && pending.always != "" && pending.tool != "" // guard: always is only what was offered
	if more {
		s.allow(pending.askUser)
	}
	if pending.told {
		s.tell(messages.Answered{Ask: answer.Ask, Choice: answer.Choice, Text: answer.Text})
	}
	c.Send(pending.worker, granted{ask: answer.Ask, choice: answer.Choice, text: answer.Text, person: person})
	defer s.tellAsks(c)
	if !more {
		return
	}
	for _, waiting := range s.pending() {
		sent := waiting.only && waiting.host != "" && waiting.host == pending.host
		if sent || !waiting.firm && waiting.tool != "" && s.state.grants.cover(waiting.scope) {
			s.settle(c, messages.Answer{Ask: waiting.call, Choice: messages.Yes}, false) // guard: what always covers is held
		}
	}
}

// allow keeps what an always covers.
func (s *session) allow(question askUser) {
	kept := &s.state.grants
	if question.host != "" {
		kept.last++
		kept.list = append(kept.list, allowed{host: question.host, number: kept.last})
		s.state.trail.Grant(question.host)
		s.tellGrants()
		return
	}
	for _, grant := range question.scope.Grants() {
		kept.last++
		kept.list = append(kept.list, allowed{Grant: grant, number: kept.last, held: question.held})
	}
	s.tellGrants()
}

// revoke takes one back.
func (s *session) revoke(number int) {
	kept := &s.state.grants
	at := slices.IndexFunc(kept.list, func(each allowed) bool { return each.number == number })
	if at < 0 {
		s.tell(messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("Nothing is allowed under the number %d.", number)})
		s.refuse(fmt.Sprintf("nothing is allowed under the number %d; list_grants has the numbers", number))
		return
	}
	s.state.trail.Revoke(kept.list[at].host)
	kept.list = slices.Delete(kept.list, at, at+1)
	s.tellGrants()
}

// forgetGrants begins anew. Numbers go on, so that an old one means nothing.
func (s *session) forgetGrants() {
	if list := s.state.grants.list; len(list) > 0 {
		for _, each := range list {
			s.state.trail.Revoke(each.host)
		}
		s.state.grants.list = nil
		s.tellGrants()
	}
}

// noSandbox takes back what was allowed for commands in the sandbox, which there is not.
func (s *session) noSandbox(why string) {
	kept := &s.state.grants
	if kept.homeless {
		return
	}
	kept.homeless = true
	before := len(kept.list)
	kept.list = slices.DeleteFunc(kept.list, func(each allowed) bool { return each.held })
	s.tell(messages.Notice{Level: messages.Warning, Text: "There is no sandbox here, so commands are asked about each time: " + why})
	if len(kept.list) < before {
		s.tellGrants()
	}
}

// tellGrants lists what is allowed.
func (s *session) tellGrants() {
	list := []messages.Grant{}
	for _, each := range s.state.grants.list {
		covers := tools.Visible(each.String())
		if each.host != "" {
			covers = "everything that is sent to " + tools.Visible(each.host)
		}
		if each.held {
			covers += ", in the sandbox"
		}
		list = append(list, messages.Grant{Number: each.number, Covers: covers})
	}
	s.tell(messages.Granted{Grants: list})
}
