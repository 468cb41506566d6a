package question

import (
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

// A question with a deadline shows a countdown. Key presses restart the countdown.

// attend tells the conversation that the user is working on the question. Without a deadline, or in
// the first half of the time until the deadline, attend sends nothing.
func (q *Panel) attend() {
	until := q.Asked.Deadline
	if until.IsZero() || until.Sub(q.Now()) > until.Sub(q.heard)/2 {
		return
	}
	q.heard = q.Now() // wait for half of the remaining time before the next message
	q.Client.Send(messages.Attend{Ask: q.ID})
}

// Hint describes the valid keys and the remaining time, for the line above the input.
func (q *Question) Hint(now time.Time) string {
	text := "waiting for your answer · Esc means no · Ctrl-C cancels"
	switch {
	case q.sheet != nil && q.Instead != nil && len(q.sheet.Page().Options) == 0:
		text = "Enter sends your answer, or the default if you typed nothing · Esc: no answer"
	case q.sheet != nil && q.Instead != nil:
		text = "Enter sends the answer · Esc goes back to the options"
	case q.sheet != nil:
		text = "Esc: no answer, use the default · Ctrl-C cancels"
	case q.Instead != nil:
		text = "refuse, and say what to do instead · Enter sends it · Esc goes back"
	}
	if q.Asked.Deadline.IsZero() {
		return text
	}
	left := max(q.Asked.Deadline.Sub(now), 0).Truncate(time.Second)
	return view.Elapsed(left) + " left · " + text
}
