package actors

import (
	"cmp"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// What the model is told in the middle of a turn: the session keeps it until the router
// takes it, between two requests, so that nothing is lost with a turn that ends meanwhile.

type (
	// wordsWait says that the session has something for the model. It is Due in this turn:
	// an answer is not the end before it was heard.
	wordsWait struct{ due bool }
	// takeWords asks the session for it; words is what it hands over.
	takeWords struct{ session *actor.PID }
	words     struct{ news, said []string }
)

func (r *router) wordsWait(message wordsWait) {
	if !r.brief.compact && !r.brief.aside { // they would be dropped with it
		r.waiting, r.due = true, r.due || message.due
	}
}

// hear takes what waits in, and asks again behind it. The table of jobs passes the request
// on, so that what a call of the last round read of a job is no news any more.
func (r *router) hear(c actor.Context) {
	r.phase, r.waiting, r.due = hearing, false, false
	c.Request(r.jobs, takeWords{session: r.brief.session})
}

func (r *router) heard(c actor.Context, message words) {
	if r.phase != hearing {
		return
	}
	if len(message.news) > 0 {
		r.turn.AddNews(r.words(messages.FromStranger, newsText(message.news)), true)
		r.tainted = cmp.Or(r.tainted, newsCame)
	}
	if len(message.said) > 0 { // guard: words that steer reach the model
		said := strings.Join(message.said, "\n\n")
		r.turn.AddRequest(r.words(messages.FromPerson, said))
		r.steered, r.moved = r.steered+"\n"+said, true // rules may be about these words
	}
	switch {
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	case len(message.news)+len(message.said) == 0 && r.answeredLast():
		r.farewell(c)
	default:
		r.next(c)
	}
}

// complete ends the turn with the model's answer, unless it has to hear of something.
func (r *router) complete(c actor.Context) {
	if r.due && !r.exit { // guard: an answer is not the end before it
		r.hear(c)
		return
	}
	if r.exit {
		r.end(c, messages.Completed, "")
		return
	}
	r.farewell(c)
}

// answeredLast says whether the model answered last, so that it need not be asked again.
func (r *router) answeredLast() bool {
	all := r.turn.Messages()
	last := all[len(all)-1]
	return last.Role == messages.Assistant && len(last.Calls) == 0
}
