package conversation

import (
	"slices"

	"marvin/messages"
)

// Queue contains the user's prompts that no turn has taken yet, oldest first.
type Queue []Queued

// Queued is a waiting prompt. If Sent is true, the prompt waits in the conversation; otherwise it
// waits in the front end. A sent prompt is for the next step of the running turn if Request is set,
// and for the next turn otherwise.
type Queued struct {
	messages.Prompt
	Request string
	Sent    bool
}

// Remove removes the prompt of a request.
func (q *Queue) Remove(request string) (Queued, bool) {
	for i, one := range *q {
		if request != "" && one.Request == request {
			*q = slices.Delete(*q, i, i+1)
			return one, true
		}
	}
	return Queued{}, false
}

// Pop removes the oldest prompt. The queue must not be empty.
func (q *Queue) Pop() Queued {
	first := (*q)[0]
	*q = (*q)[1:]
	return first
}

// remove removes a prompt that a turn has accepted: the prompt of the given request or, without a
// request, the oldest sent prompt with the given text.
func (q *Queue) remove(request, text string) {
	at := slices.IndexFunc(*q, func(one Queued) bool {
		return one.Request == request && (request != "" || one.Sent && one.Text == text)
	})
	if at >= 0 {
		*q = slices.Delete(*q, at, at+1)
	}
}

// markUnsent is called for a prompt that the conversation returned because the turn was canceled.
func (q *Queue) markUnsent(request string) {
	for i := range *q {
		if one := &(*q)[i]; request != "" && one.Request == request {
			one.Request, one.Steer, one.Sent = "", false, false
		}
	}
}

// forget drops the prompts that were sent without a request. A new conversation does not receive
// such prompts.
func (q *Queue) forget() {
	*q = slices.DeleteFunc(*q, func(one Queued) bool { return one.Sent && one.Request == "" })
}
