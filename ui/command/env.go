package command

import (
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/conversation"
)

// Env contains the dependencies that all commands share.
type Env struct {
	Client ui.Client
	Host   Host
	Front  Front
	Now    func() time.Time
	// Talk is the state of the conversation. The front end applies each event to Talk.
	Talk *conversation.State
	// LoginForm accepts providers' keys; the zero value accepts none.
	LoginForm LoginForm

	awaits   string        // name of the unconfirmed request; "" for none
	work     map[int]*work // running tasks by number
	lastWork int
}

// ask sends a request to the conversation. A later event answers the request.
func (e *Env) ask(what string, op messages.Op) {
	e.awaits = what
	e.Client.Send(op)
}

func (e *Env) say(text string)  { e.Front.Say(messages.Info, text) }
func (e *Env) warn(text string) { e.Front.Say(messages.Warning, text) }
func (e *Env) fail(err error)   { e.Front.Say(messages.Problem, err.Error()) }

// show returns a function that shows the text or the error.
func (e *Env) show(text string, err error) func() {
	return e.reportOr(err, func() { e.say(strings.TrimRight(text, "\n")) })
}

// outcome returns a function that reports success or an error.
func (e *Env) outcome(err error, done string) func() {
	return e.reportOr(err, func() { e.say(done) })
}

// reportOr returns a function that reports err, or calls next() if err is nil.
func (e *Env) reportOr(err error, next func()) func() {
	return func() {
		if err != nil {
			e.fail(err)
			return
		}
		next()
	}
}
