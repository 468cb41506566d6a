package session

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/messages"
)

// Events for a program that a user would see on the screen: whose prompt a turn answers, and why
// something was refused.

// waiting is a prompt that waits for its turn.
type waiting struct {
	messages.Prompt
	request string      // the id of its request, "" for none
	aside   *aside      // how it is asked beside the conversation; nil for in it
	picked  *modelFound // who the provider that it names is, once that is looked up
	reread  bool        // what others bring was read again for it
}

// cancel ends the running turn, or takes a prompt back that waits.
func (s *session) cancel(c actor.Context, wish messages.Cancel) {
	named := wish.Request != ""
	if named && s.queue.withdraw(func(prompt waiting) bool { return prompt.request == wish.Request }) {
		return
	}
	switch {
	case s.undoing.reversing():
		c.Send(s.undoing.taking.calls, wish)
	case s.files.asking && !named && wish.Turn == "":
		s.files.cancel()
	case !s.turn.runs() && s.hooks.cancelHooks(call.ErrHooksLate): // a prompt that waited for hooks continues
	case !s.turn.runs() && (named || wish.Turn != ""):
		s.refuse("no turn is running, and no prompt with that name waits")
	case !s.turn.runs():
		s.refuse("no turn is running")
	case wish.Turn != "" && wish.Turn != s.state.running:
		s.refuse(fmt.Sprintf("turn %q is not running; %s is", wish.Turn, s.state.running))
	case named && wish.Request != s.state.asker:
		s.refuse(fmt.Sprintf("no prompt of request %q waits or is answered", wish.Request))
	default:
		s.queue.withdraw(func(prompt waiting) bool { return prompt.Steer }) // they were about this turn
		s.turn.hurry(c)
		s.settleEnd(c)
	}
}

// promptQueue are the prompts that wait. They outlive a restart of the session.
type promptQueue struct{ *emitter }

func (q *promptQueue) add(prompt waiting) { q.state.queue = append(q.state.queue, prompt) }

// take gives the oldest one.
func (q *promptQueue) take() waiting {
	prompt := q.state.queue[0]
	q.state.queue = q.state.queue[1:]
	return prompt
}

// withdraw takes prompts that wait back, and says whether there were any.
func (q *promptQueue) withdraw(which func(waiting) bool) bool {
	before := len(q.state.queue)
	q.state.queue = slices.DeleteFunc(q.state.queue, func(prompt waiting) bool {
		if which(prompt) {
			q.tell(messages.Withdrawn{Request: prompt.request, Prompt: prompt.Text})
			return true
		}
		return false
	})
	return len(q.state.queue) < before
}

// steering takes the prompts out that are for the running turn, and says what brought words of
// others into them.
func (q *promptQueue) steering() (said []string, foreign string) {
	q.state.queue = slices.DeleteFunc(q.state.queue, func(prompt waiting) bool {
		if prompt.Steer {
			said = append(said, prompt.Text)
			q.state.takeIn(prompt.Prompt)
			foreign = cmp.Or(foreign, prompt.Foreign())
			q.tell(messages.Steered{Request: prompt.request, Prompt: prompt.Text})
		}
		return prompt.Steer
	})
	return said, foreign
}
