package command

import (
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/conversation"
)

// Env is what every command may use.
type Env struct {
	Client ui.Client
	Host   Host
	Front  Front
	Now    func() time.Time
	// Talk is the conversation as the front end knows it, which applies each event to it.
	Talk *conversation.State
	// LoginForm takes keys of providers; the zero value takes none.
	LoginForm LoginForm

	awaits   string        // the change that the conversation was asked for and did not confirm yet
	work     map[int]*work // that is under way beside the loop, by number
	lastWork int
}

// ask wants a change of the conversation, which says when it is done.
func (e *Env) ask(what string, op messages.Op) {
	e.awaits = what
	e.Client.Send(op)
}

func (e *Env) say(text string)  { e.Front.Say(messages.Info, text) }
func (e *Env) warn(text string) { e.Front.Say(messages.Warning, text) }
func (e *Env) fail(err error)   { e.Front.Say(messages.Problem, err.Error()) }

// told says a text, or why there is none.
func (e *Env) told(text string, err error) func() {
	return func() {
		if err != nil {
			e.fail(err)
			return
		}
		e.say(strings.TrimRight(text, "\n"))
	}
}

// outcome says that something is done, or why not.
func (e *Env) outcome(err error, done string) func() {
	return func() {
		if err != nil {
			e.fail(err)
			return
		}
		e.say(done)
	}
}
