package call

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/messages"
	"marvin/tools"
)

// This file decides whether a call runs, needs the user's consent, or is forbidden. The decision
// depends on the tool, the user's rules and the command's effects. The session passes questions to
// the user.

// consented describes the permissions of a call.
type consented struct {
	approved bool           // the user looked at this call and said yes
	beyond   []string       // additional directories for the call, outside the root
	writes   []string       // protected files that the running call can write
	host     string         // the host that would receive the call's data
	denial   *sandboxDenial // the run that the sandbox blocked, or nil
	free     bool           // the call runs without a sandbox, because it cannot work inside one
	anywhere bool           // one of the user's rules allows the command and any host
	reads    bool           // the command only reads
}

// judge refuses the call, asks the user about it, or runs it.
func (w *worker) judge(c actor.Context) {
	env := w.env(c, &Effect{})
	title, detail := "", ""
	if w.decoded.Confirm != nil {
		title, detail = w.decoded.Confirm(env)
	}
	verdict := w.adjustVerdict(w.Config.Permissions.Judge(w.decoded, env, w.call.Args, title != ""), w.Mode.Person)
	w.beyond, w.writes, w.reads = verdict.Beyond, verdict.Writes, verdict.ReadOnly && env.Confines()
	env.Writes = verdict.Writes
	w.anywhere = w.decoded.Command != nil && verdict.Ruled && verdict.Decision == tools.Allow
	switch verdict.Decision {
	case tools.Deny:
		warn(c, unsent(w.call.Name, verdict, w.Mode.Person))
		w.report(c, callEnd{status: messages.Forbidden, text: "Error: " + tools.Refused(verdict, w.decoded).Error()})
	case tools.Ask:
		w.host = verdict.Host
		c.Request(w.Session, consentTo(w.question(title, detail, verdict.Firm), w.decoded, w.call.Args, env, verdict))
	default:
		if w.decoded.Command == nil || !env.HoldsHosts() { // the sandbox does not restrict the call's hosts
			warn(c, sendNotice(w.call.Name, verdict, w.Tainted))
		}
		w.run(c)
	}
}

// consentTo completes a question about a call. If question.Firm is false, consentTo also describes
// the calls that "Always" would cover, or the reason why "Always" is not offered.
func consentTo(question mail.AskUser, call tools.Call, args json.RawMessage, env tools.Env, verdict tools.Verdict) mail.AskUser {
	change, own := "", question.Title != ""
	if !own {
		question.Title, question.Detail = call.Question(verdict, args)
		if change = call.Change(env); change != "" && len(verdict.Beyond) == 0 {
			question.Title, question.Detail = "Make this change?", change
		}
	}
	question.Title, question.Detail = withPayload(verdict, question.Title, question.Detail, call.Command != nil)
	for _, reason := range slices.Backward(verdict.Reasons) {
		question.Detail = tools.Visible(reason) + "\n" + question.Detail
	}
	question.Only = len(verdict.Reasons) == 1 && !own
	question.Diff = change != "" && len(verdict.Beyond) == 0
	if question.Firm {
		return question
	}
	words, held, err := call.DescribeAlways(env)
	question.Scope, question.Always, question.Held = call.Scope(env), words, held
	if err != nil {
		question.Detail += "\nThere is no sandbox here, so each command needs your approval: " + reason(err)
	}
	return question
}

// worded returns the command that the call runs. If there is no command, worded returns the call's
// title.
func (w *worker) worded() string {
	if w.decoded.Command != nil {
		return *w.decoded.Command
	}
	return w.title
}

func (w *worker) question(title, detail string, firm bool) mail.AskUser {
	return mail.AskUser{Call: w.call.ID, Position: w.position + 1, Of: w.of, Tool: w.call.Name, Title: title, Detail: detail, Firm: firm, Host: w.host}
}

func refusal(instead string) string {
	if instead == "" {
		return "Error: the user said no to this call. It was not executed. Do not try it again in another form; ask what they want instead."
	}
	return "Error: the user said no to this call. It was not executed. " + messages.RefusalPhrase + instead
}

// handleUnconfined handles a command that could not start because it was neither approved nor
// sandboxed. It runs the command again if that is now allowed, asks the user, or ends the call.
func (w *worker) handleUnconfined(c actor.Context, err error) {
	if env := w.env(c, &Effect{}); env.MayRunUnconfined() && !w.done {
		w.reset()
		w.free = true
		w.run(c)
		return
	}
	outside := w.env(c, &Effect{})
	if outside.Approved = true; !w.Mode.Person || w.approved || w.done || outside.Confines() { // the modes "workspace" and "strict" confine even approved commands
		w.report(c, callEnd{status: messages.Forbidden, text: "Error: " + err.Error()})
		return
	}
	w.reset()
	title, detail := "Run "+w.call.Name+" without a sandbox?", tools.ShowArgs(w.call.Args)
	if w.decoded.Confirm != nil {
		title, detail = w.decoded.Confirm(w.env(c, &Effect{}))
	}
	why := "The sandbox cannot run this call. If you say yes, it runs with all your permissions: "
	if tools.NoSandbox(err) {
		why = "There is no sandbox here, so Marvin asks first: "
	}
	question := w.question(title, why+reason(err)+"\n"+detail, true)
	question.Host = ""
	if tools.NoSandbox(err) {
		question.NoSandbox = reason(err)
	}
	c.Request(w.Session, question)
}

// reason returns the text of an error on one line, without advice for the model.
func reason(err error) string {
	if advice, ok := errors.AsType[*tools.Advice](err); ok {
		err = advice.Err
	}
	return strings.ReplaceAll(err.Error(), "\n", ": ")
}

func (w *worker) approve(c actor.Context, message mail.Approve) {
	w.Conversation.Policy.Approval = message.Mode
	w.subAgents.approve(c, message.Mode)
}
