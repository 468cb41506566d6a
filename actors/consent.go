package actors

import (
	"errors"
	"slices"
	"strings"
	"time"

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
}

// relayed is a decision on its way down to a sub-agent's session.
type relayed struct {
	answer messages.Answer
	person bool
}

// judge runs the call, asks about it, or refuses it.
func (w *worker) judge(c actor.Context) {
	env := w.env(c, &effect{})
	title, detail := "", ""
	if w.decoded.Confirm != nil {
		title, detail = w.decoded.Confirm(env)
	}
	verdict := w.config.Permissions.Judge(w.decoded, env, w.call.Args, title != "")
	w.beyond = verdict.Beyond
	if w.tainted != "" && w.decoded.Tool.Effect == tools.Outside && !verdict.Ruled {
		w.warn(c, &verdict)
	}
	switch verdict.Decision {
	case tools.Deny:
		w.report(c, messages.Forbidden, "Error: "+tools.Refused(verdict, w.decoded).Error(), nil, effect{})
	case tools.Ask:
		if title == "" {
			title, detail = w.decoded.Question(verdict, w.call.Args)
		}
		for _, reason := range slices.Backward(verdict.Reasons) {
			detail = tools.Visible(reason) + "\n" + detail
		}
		w.ask(c, title, detail, verdict.Firm)
	default:
		w.run(c)
	}
}

// warn is for calls that send something to others after words of strangers came into the
// conversation, which may have asked for just that. A person sees what would be sent,
// each time; without one, and where all runs unasked, the policy holds, and it is said.
func (w *worker) warn(c actor.Context, verdict *tools.Verdict) {
	reason := w.tainted + " brought in what strangers wrote; make sure that it is you who wants this sent"
	if !w.mode.Person || w.conversation.Policy.Approval == messages.ApproveAll {
		c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: w.call.Name + " sends something to others after " + w.tainted + " brought in what strangers wrote"})
		return
	}
	if verdict.Decision == tools.Allow {
		verdict.Decision = tools.Ask
	}
	verdict.Firm = true
	verdict.Reasons = append(verdict.Reasons, reason)
}

func (w *worker) ask(c actor.Context, title, detail string, firm bool) {
	c.Request(w.session, askUser{call: w.call.ID, tool: w.call.Name, title: title, detail: detail, firm: firm})
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
	if !w.mode.Person || w.approved || w.decoded.Confirm == nil || w.done {
		w.report(c, messages.Forbidden, "Error: "+err.Error(), nil, effect{})
		return
	}
	w.again()
	title, detail := w.decoded.Confirm(w.env(c, &effect{}))
	w.ask(c, title, "There is no sandbox to run it in unasked: "+reason(err)+"\n"+detail, true)
}

// again makes a call that ended ready to run once more.
func (w *worker) again() {
	w.cancel(errInterrupted) // its context; nothing runs in it any more
	w.cancel, w.begun = nil, time.Time{}
}

// reason is an error without its advice, which is for the model.
func reason(err error) string {
	var advice *tools.Advice
	if errors.As(err, &advice) {
		err = advice.Err
	}
	return strings.ReplaceAll(err.Error(), "\n", ": ")
}
