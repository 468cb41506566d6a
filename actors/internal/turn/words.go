package turn

import (
	"cmp"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/messages"
)

// The session holds messages for the model, and the turn fetches them between two requests. When
// the turn ends, unfetched messages remain in the session.

type (
	// PendingWords means that the session has messages for the model. If Due is set, the turn
	// delivers the messages before ending.
	PendingWords struct{ Due bool }
	Words        struct {
		News, Said []string
		Foreign    string // the source of untrusted text in Said, or ""
	}
)

// interjected adds the session's pending messages to the conversation.
type interjected struct {
	*turnState
	waiting bool // the session has messages for the model
	due     bool // the turn delivers the messages before it ends
}

func (i *interjected) wait(message PendingWords) {
	// An aside or a turn that only summarizes leaves the messages in the session.
	if !i.input.Compact && !i.input.Aside {
		i.waiting, i.due = true, i.due || message.Due
	}
}

// ask requests the session's messages through the jobs actor. The session thus receives earlier
// [mail.JobRead] messages first, and omits jobs whose end the model already knows.
func (i *interjected) ask(c actor.Context) {
	i.waiting, i.due = false, false
	c.Request(i.Jobs, mail.TakePending{Session: i.input.Session})
}

// take transfers the session's messages to the conversation, and returns the user's text.
func (i *interjected) take(message Words) (said string) {
	if len(message.News) > 0 {
		i.turn.AddNews(i.messageFrom(messages.FromStranger, newsText(message.News)), true)
		i.tainted = cmp.Or(i.tainted, newsCame)
	}
	if len(message.Said) > 0 {
		i.tainted = cmp.Or(i.tainted, message.Foreign)
		said = strings.Join(message.Said, "\n\n")
		i.turn.AddRequest(i.messageFrom(messages.FromPerson, said))
	}
	return said
}

// answeredLast reports whether the last message is an answer from the model. If so, the model need
// not be asked again.
func (i *interjected) answeredLast() bool {
	all := i.turn.Messages()
	last := all[len(all)-1]
	return last.Role == messages.Assistant && len(last.Calls) == 0
}
