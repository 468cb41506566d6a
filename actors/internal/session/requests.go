package session

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/messages"
)

// waitingPrompt is a prompt whose turn has not begun.
type waitingPrompt struct {
	messages.Prompt
	request string      // the id of the request that sent the prompt, or ""
	aside   *aside      // set if the prompt is not part of the conversation
	picked  *modelFound // the result of the lookup of Prompt.Provider; nil before the lookup
	reread  bool        // servers, hooks and tools were reloaded for this prompt
}

// cancel terminates the running turn, or withdraws a waiting prompt.
func (s *session) cancel(c actor.Context, wish messages.Cancel) {
	named := wish.Request != ""
	if named && s.queue.withdraw(func(prompt waitingPrompt) bool { return prompt.request == wish.Request }) {
		return
	}
	switch {
	case s.undoing.reversing():
		c.Send(s.undoing.taking.calls, wish)
	case s.files.asking && !named && wish.Turn == "":
		s.files.cancel()
	case !s.turn.runs() && s.hooks.cancelHooks(call.ErrHooksLate): // the prompt no longer waits for the hooks
	case !s.turn.runs() && (named || wish.Turn != ""):
		s.refuse("no turn is running, and no prompt with that name is waiting")
	case !s.turn.runs():
		s.refuse("no turn is running")
	case wish.Turn != "" && wish.Turn != s.state.running:
		s.refuse(fmt.Sprintf("turn %q is not running; the running turn is %s", wish.Turn, s.state.running))
	case named && wish.Request != s.state.asker:
		s.refuse(fmt.Sprintf("request %q has no prompt that is waiting or running", wish.Request))
	default:
		// Steering prompts belong to the canceled turn.
		s.queue.withdraw(func(prompt waitingPrompt) bool { return prompt.Steer })
		s.turn.hurry(c)
		s.settleEnd(c)
	}
}

// promptQueue manages the waiting prompts, which survive a restart of the session.
type promptQueue struct{ *emitter }

func (q *promptQueue) add(prompt waitingPrompt) { q.state.queue = append(q.state.queue, prompt) }

func (q *promptQueue) take() waitingPrompt {
	prompt := q.state.queue[0]
	q.state.queue = q.state.queue[1:]
	return prompt
}

func (q *promptQueue) withdraw(which func(waitingPrompt) bool) bool {
	before := len(q.state.queue)
	q.state.queue = slices.DeleteFunc(q.state.queue, func(prompt waitingPrompt) bool {
		if which(prompt) {
			q.tell(messages.Withdrawn{Request: prompt.request, Prompt: prompt.Text})
			return true
		}
		return false
	})
	return len(q.state.queue) < before
}

// takeSteering removes from the queue all prompts that are meant for the running turn. It returns
// the text of these prompts and the source of any untrusted text in them. If no prompt contains
// untrusted text, the source is "".
func (q *promptQueue) takeSteering() (said []string, source string) {
	q.state.queue = slices.DeleteFunc(q.state.queue, func(prompt waitingPrompt) bool {
		if prompt.Steer {
			said = append(said, prompt.Text)
			q.state.takeIn(prompt.Prompt)
			source = cmp.Or(source, prompt.Foreign())
			q.tell(messages.Steered{Request: prompt.request, Prompt: prompt.Text})
		}
		return prompt.Steer
	})
	return said, source
}
