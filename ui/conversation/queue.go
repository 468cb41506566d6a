package conversation

import (
	"slices"

	"marvin/messages"
)

// Queue contains the user's prompts that no turn has taken yet, oldest first.
type Queue []Queued

// Queued is a waiting prompt. It waits in the conversation if Sent is true, and in the front end
// otherwise. A sent prompt joins the next step of the running turn if Request is set, and otherwise
// begins the next turn.
type Queued struct {
	messages.Prompt
	Request string
	Sent    bool
}

// Remove removes and returns the prompt with the given request.
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

// remove removes the prompt with the given request. If request is "", it removes the oldest sent
// prompt that has the given text and no request.
func (q *Queue) remove(request, text string) {
	at := slices.IndexFunc(*q, func(one Queued) bool {
		return one.Request == request && (request != "" || one.Sent && one.Text == text)
	})
	if at >= 0 {
		*q = slices.Delete(*q, at, at+1)
	}
}

// markUnsent marks a prompt as unsent after the conversation has withdrawn the prompt.
func (q *Queue) markUnsent(request string) {
	for i := range *q {
		if one := &(*q)[i]; request != "" && one.Request == request {
			one.Request, one.Steer, one.Sent = "", false, false
		}
	}
}

// forget removes the sent prompts that have no request.
func (q *Queue) forget() {
	*q = slices.DeleteFunc(*q, func(one Queued) bool { return one.Sent && one.Request == "" })
}
