package conversation

import (
	"slices"

	"marvin/messages"
)

// Queue is what a person said and no turn has taken yet, oldest first.
type Queue []Queued

// Queued is a prompt that waits. One that was sent waits in the conversation, for the next
// turn or, by its request, for the next step of this one; the others wait here.
type Queued struct {
	messages.Prompt
	Request string
	Sent    bool
}

// Remove takes the prompt of a request out.
func (q *Queue) Remove(request string) (Queued, bool) {
	for i, one := range *q {
		if request != "" && one.Request == request {
			*q = slices.Delete(*q, i, i+1)
			return one, true
		}
	}
	return Queued{}, false
}

// Pop takes the oldest one out. There must be one.
func (q *Queue) Pop() Queued {
	first := (*q)[0]
	*q = (*q)[1:]
	return first
}

// taken forgets a prompt that a turn took: by its request, or, where none was given, the
// oldest with these words.
func (q *Queue) taken(request, text string) {
	at := slices.IndexFunc(*q, func(one Queued) bool {
		return one.Request == request && (request != "" || one.Sent && one.Text == text)
	})
	if at >= 0 {
		*q = slices.Delete(*q, at, at+1)
	}
}

// back notes that the conversation gave a prompt back, because the turn that it was about
// is cancelled: it waits here.
func (q *Queue) back(request string) {
	for i := range *q {
		if one := &(*q)[i]; request != "" && one.Request == request {
			one.Request, one.Steer, one.Sent = "", false, false
		}
	}
}

// forget drops prompts sent without a request: a new conversation has none of them.
func (q *Queue) forget() {
	*q = slices.DeleteFunc(*q, func(one Queued) bool { return one.Sent && one.Request == "" })
}
