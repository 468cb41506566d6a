package actors

import (
	"errors"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// Whether a call may run: the tool may want consent, the user's rules and the judgement
// of commands may want more, or forbid it. A session only asks; this is where it is
// decided what.

// consented is what a worker knows of consent.
type consented struct {
	approved bool     // a person looked at this very call and said yes
	beyond   []string // directories outside of the root that were decided about
	host     string   // where it was asked about whether data may leave to
	met      *met     // what the first run brought, if the sandbox may have been in its way
	free     bool     // it runs without a sandbox, which cannot hold it
}

// relayed is a decision on its way down to a sub-agent's session.
type relayed struct {
	answer messages.Answer
	person bool
	reply  tools.Reply // to an inquiry
}

func (q *questions) relayed(c actor.Context, message relayed) {
	if pending := q.asks[message.answer.Ask]; pending != nil && pending.inquiry != nil {
		q.reply(c, pending, message.reply)
		return
	}
	q.settle(c, message.answer, message.person)
}

// judge runs the call, asks about it, or refuses it.
func (w *worker) judge(c actor.Context) {
	env := w.env(c, &effect{})
	title, detail := "", ""
	if w.decoded.Confirm != nil {
		title, detail = w.decoded.Confirm(env)
	}
	asks := title != ""
	verdict := w.questioned(w.config.Permissions.Judge(w.decoded, env, w.call.Args, asks), w.mode.Person) // guard: hooks: a hook that asks is asked about
	w.beyond = verdict.Beyond
	switch verdict.Decision {
	case tools.Deny:
		warn(c, unsent(w.call.Name, verdict, w.mode.Person))
		w.report(c, messages.Forbidden, "Error: "+tools.Refused(verdict, w.decoded).Error(), nil, effect{})
	case tools.Ask:
		change := ""
		if title == "" {
			title, detail = w.decoded.Question(verdict, w.call.Args)
			if change = w.decoded.Change(env); change != "" && len(verdict.Beyond) == 0 {
				detail = change
			}
		}
		title, detail = showing(verdict, title, detail, w.decoded.Command != nil)
		for _, reason := range slices.Backward(verdict.Reasons) {
			detail = tools.Visible(reason) + "\n" + detail
		}
		w.host = verdict.Host
		question := w.question(title, detail, verdict.Firm)
		question.only = len(verdict.Reasons) == 1 && !asks
		question.diff = change != "" && len(verdict.Beyond) == 0
		if !verdict.Firm {
			offer(w.decoded, env, &question)
		}
		c.Request(w.session, question)
	default:
		warn(c, leaves(w.call.Name, verdict, w.tainted))
		w.run(c)
	}
}

func (w *worker) question(title, detail string, firm bool) askUser {
	return askUser{call: w.call.ID, position: w.position + 1, of: w.of, tool: w.call.Name, title: title, detail: detail, firm: firm, host: w.host}
}

// offer says what an always would cover, or why there is none.
func offer(call tools.Call, env tools.Env, question *askUser) {
	words, held, err := call.Always(env)
	question.scope, question.always, question.held = call.Scope(env), words, held
	if err != nil {
		question.detail += "\nThere is no sandbox to run it in, so each command is asked about: " + reason(err)
	}
}

// refusal is what a model is told when a person said no.
func refusal(instead string) string {
	if instead == "" {
		return "Error: the user said no to this call. It was not executed. Do not try it again in another form; ask what they want instead."
	}
	return "Error: the user said no to this call. It was not executed. What the user wants instead, in their own words: " + instead
}

// unconfined is where a command ends that nobody looked at and that nothing holds: a
// person may still look at it. The command itself did not begin.
func (w *worker) unconfined(c actor.Context, err error) {
	if env := w.env(c, &effect{}); env.Frees() && !w.done {
		w.again()
		w.free = true
		w.run(c)
		return
	}
	if !w.mode.Person || w.approved || w.done {
		w.report(c, messages.Forbidden, "Error: "+err.Error(), nil, effect{})
		return
	}
	w.again()
	title, detail := "Run "+w.call.Name+" without a sandbox?", tools.ShowArgs(w.call.Args)
	if w.decoded.Confirm != nil {
		title, detail = w.decoded.Confirm(w.env(c, &effect{}))
	}
	question := w.question(title, "There is no sandbox to run it in unasked: "+reason(err)+"\n"+detail, true)
	question.host = ""
	if tools.NoSandbox(err) {
		question.noSandbox = reason(err)
	}
	c.Request(w.session, question)
}

// reason is an error without its advice, which is for the model.
func reason(err error) string {
	var advice *tools.Advice
	if errors.As(err, &advice) {
		err = advice.Err
	}
	return strings.ReplaceAll(err.Error(), "\n", ": ")
}
