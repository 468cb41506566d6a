package actors

import (
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// What a program behind a wire is told that a person at a screen sees: whose prompt a
// turn answers, and why something was not done.

// waiting is a prompt that waits for its turn.
type waiting struct {
	messages.Prompt
	request string // the id of its request, "" for none
	aside   *aside // how it is asked beside the conversation; nil for in it
	picked  *meant // who the provider that it names is, once that is looked up
	reread  bool   // what others bring was read again for it
}

func (s *session) requestID() string {
	if s.request == nil {
		return ""
	}
	return *s.request
}

// refuse answers a request that nothing was done about. A person needs no answer: a key
// that came too late is no mistake.
func (s *session) refuse(why string) {
	if s.request != nil {
		s.tell(messages.Refused{Request: *s.request, Err: why})
	}
}

// cancel ends the running turn, or takes a prompt back that waits.
func (s *session) cancel(c actor.Context, wish messages.Cancel) {
	named := wish.Request != ""
	if named && s.withdraw(func(prompt waiting) bool { return prompt.request == wish.Request }) {
		return
	}
	switch {
	case s.taking.reversing():
		c.Send(s.taking.calls, wish)
	case s.router == nil && s.hushHooks(errHooksLate): // what waits for hooks goes on
	case s.router == nil && (named || wish.Turn != ""):
		s.refuse("no turn is running, and no prompt of that name waits")
	case s.router == nil:
		s.refuse("no turn is running")
	case wish.Turn != "" && wish.Turn != s.state.running:
		s.refuse(fmt.Sprintf("turn %q is not running; %s is", wish.Turn, s.state.running))
	case named && wish.Request != s.state.asker:
		s.refuse(fmt.Sprintf("no prompt of request %q waits or is answered", wish.Request))
	default:
		s.withdraw(func(prompt waiting) bool { return prompt.Steer }) // they were about this turn
		s.hurry(c)
	}
}

// withdraw takes prompts that wait back, and says whether there were any.
func (s *session) withdraw(which func(waiting) bool) bool {
	before := len(s.queue)
	s.queue = slices.DeleteFunc(s.queue, func(prompt waiting) bool {
		if which(prompt) {
			s.tell(messages.Withdrawn{Request: prompt.request, Prompt: prompt.Text})
			return true
		}
		return false
	})
	return len(s.queue) < before
}
