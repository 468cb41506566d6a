package turn

import (
	"cmp"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/messages"
)

// Messages for the model in mid-turn: the session holds them until the turn takes them between
// two requests, so they survive the end of the turn.

type (
	// PendingWords says that the session has something for the model. If it is due, the turn does not
	// end before the model has it.
	PendingWords struct{ Due bool }
	Words        struct {
		News, Said []string
		Foreign    string // what brought words of others into what was said
	}
)

// interjected is what the session has for the model.
type interjected struct {
	*turnState
	waiting bool // there is something
	due     bool // which the model has to hear in this turn
}

// wait notes that there is something.
func (i *interjected) wait(message PendingWords) {
	if !i.input.Compact && !i.input.Aside { // they would be dropped with it
		i.waiting, i.due = true, i.due || message.Due
	}
}

// ask has it handed over. The table of jobs passes the request on, so that what a call of the
// last round read of a job is no news any more.
func (i *interjected) ask(c actor.Context) {
	i.waiting, i.due = false, false
	c.Request(i.Jobs, mail.TakePending{Session: i.input.Session})
}

// take puts it behind what was said, and gives the words of the person.
func (i *interjected) take(message Words) (said string) {
	if len(message.News) > 0 {
		i.turn.AddNews(i.words(messages.FromStranger, newsText(message.News)), true)
		i.tainted = cmp.Or(i.tainted, newsCame)
	}
	if len(message.Said) > 0 {
		i.tainted = cmp.Or(i.tainted, message.Foreign)
		said = strings.Join(message.Said, "\n\n")
		i.turn.AddRequest(i.words(messages.FromPerson, said))
	}
	return said
}

// answeredLast says whether the model answered last, so that it need not be asked again.
func (i *interjected) answeredLast() bool {
	all := i.turn.Messages()
	last := all[len(all)-1]
	return last.Role == messages.Assistant && len(last.Calls) == 0
}
