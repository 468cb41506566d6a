package actors

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/hooks"
)

// The user's hooks about one call: before it is judged, so that what a person and the rules
// agree to is what runs, and when it ended, before anybody hears of that.

// hooked is what hooks make of a call.
type hooked struct {
	telling context.CancelCauseFunc // ends the hooks that are being told; nil if none are
	wanted  string                  // why a hook wants the call asked about; "" if none does
	words   []string                // for the model, behind the result
	closing *closing                // how the call ended, while hooks are told of it
}

// closing is a call that is over, and not reported yet.
type closing struct {
	status  messages.Status
	text    string
	view    *messages.View
	changed effect
}

// What comes from the goroutine that tells hooks.
type (
	heardBefore struct{ outcome hooks.Outcome }
	heardAfter  struct{ outcome hooks.Outcome }
)

// lineUp takes the place of the call in the line: where it works is known when the hooks
// were told, which may change its arguments.
func (w *worker) lineUp(c actor.Context) {
	w.places = w.decoded.Places(w.env(c, &effect{}))
	if len(w.before()) == 0 {
		w.turn = w.line.Join(w.places)
		return
	}
	w.turn = w.line.Reserve() // guard: hooks: calls wait until it is known where they work
}

func (w *worker) before() []hooks.Hook {
	return w.conversation.hooks.For(hooks.ToolBefore, w.decoded.Tool.Name)
}

// consult tells the hooks that a call is to be made, and goes on with what they say.
func (w *worker) consult(c actor.Context) {
	list := w.before()
	if len(list) == 0 {
		w.judge(c)
		return
	}
	said := w.about(hooks.ToolBefore)
	w.tell(c, list, said, func(outcome hooks.Outcome) any { return heardBefore{outcome} })
}

// about is what hooks are told of the call, by its own name and under the names of its
// schema, whatever a model wrote.
func (w *worker) about(event hooks.Event) hooks.Said {
	return hooks.Said{
		Event: event, Session: w.conversation.called(), Dir: w.conversation.Dir,
		Tool: w.decoded.Tool.Name, Args: w.arguments(),
	}
}

func (w *worker) arguments() json.RawMessage {
	if args := w.decoded.Arguments(); len(args) > 0 {
		return args
	}
	if json.Valid(w.call.Args) {
		return w.call.Args
	}
	return json.RawMessage("{}")
}

// tell runs hooks beside the actor.
func (w *worker) tell(c actor.Context, list []hooks.Hook, said hooks.Said, mail func(hooks.Outcome) any) {
	ctx, cancel := context.WithCancelCause(context.Background())
	w.telling = cancel
	place := w.config.hookPlace(w.env(c, &effect{}))
	task.Do(c, func() any { return mail(hooks.Tell(ctx, place, list, said)) }, func(panicked *task.Panicked) any {
		return mail(hooks.Crashed(said.Event, panicked))
	})
}

// heardBefore refuses the call, or goes on with it as the hooks left it.
func (w *worker) heardBefore(c actor.Context, outcome hooks.Outcome) {
	w.telling = nil
	if w.done {
		return
	}
	w.warn(c, outcome.Problems)
	w.words = append(w.words, outcome.Context...)
	if outcome.Decision == hooks.No {
		w.report(c, messages.Forbidden, "Error: not executed: "+outcome.Reason+"\nThis is a check of the user's. Do what it says, or do without the call; do not try it in another form.", nil, effect{})
		return
	}
	if outcome.Decision == hooks.Ask {
		w.wanted = outcome.Reason
	}
	if outcome.Args != nil {
		if err := w.rewrite(outcome.Args); err != nil {
			w.report(c, messages.Forbidden, "Error: not executed: a hook of the user's made arguments of it that cannot be taken: "+err.Error(), nil, effect{})
			return
		}
	}
	w.places = w.decoded.Places(w.env(c, &effect{}))
	w.turn.Settle(w.places)
	w.judge(c)
}

// rewrite makes it the call that the hooks want, which is judged like any other.
func (w *worker) rewrite(args json.RawMessage) error {
	tool, err := w.tools.Find(w.decoded.Tool.Name, w.mode)
	if err != nil {
		return err
	}
	decoded, err := tool.Decode(args)
	if err != nil {
		return err
	}
	w.decoded, w.call.Args, w.title = decoded, args, decoded.Title // guard: hooks: what a hook changes is judged
	shown, _ := tools.Limits{Bytes: 2 << 10}.Cut(tools.Visible(string(args)))
	w.words = append(w.words, "The arguments of this call were changed by a hook of the user's. It was called with "+shown)
	return nil
}

// questioned is a verdict on a call that a hook wants asked about: of this very call, in every
// mode, and refused where nobody can be asked.
func (w *worker) questioned(verdict tools.Verdict) tools.Verdict {
	if w.wanted == "" || verdict.Decision == tools.Deny {
		return verdict
	}
	verdict.Decision, verdict.Firm = tools.Ask, true
	verdict.Reasons = append([]string{w.wanted}, verdict.Reasons...)
	if !w.mode.Person {
		verdict.Decision, verdict.Advice = tools.Deny, "It is for the user to decide, who is not here. Do without it."
	}
	return verdict
}

// tellEnd tells hooks how a call ended that ran, and says whether there are any.
func (w *worker) tellEnd(c actor.Context, end closing) bool {
	if w.begun.IsZero() || !itsOwn(end.status) || w.conversation.hooks == nil {
		return false
	}
	list := w.conversation.hooks.For(hooks.ToolAfter, w.decoded.Tool.Name)
	if len(list) == 0 {
		return false
	}
	end.text = w.cleaned(end.text)
	w.closing = &end
	said := w.about(hooks.ToolAfter)
	said.Result, said.Status = &end.text, string(end.status)
	w.tell(c, list, said, func(outcome hooks.Outcome) any { return heardAfter{outcome} })
	if end.status == messages.Interrupted { // what is left of the patience of the turn
		task.After(c, w.config.Tuning.CancelGrace/2, hooksLate{})
	}
	return true
}

// hooksLate ends the wait for hooks of a call that was interrupted.
type hooksLate struct{}

// heardAfter reports the call as the hooks left it. What they could not say changes nothing.
func (w *worker) heardAfter(c actor.Context, outcome hooks.Outcome) {
	w.telling = nil
	if w.done {
		return
	}
	end := w.closing
	w.warn(c, outcome.Problems)
	if outcome.Ended != nil {
		w.warn(c, []string{"The hooks after " + w.call.Name + " were not heard to the end: " + outcome.Ended.Error()})
	}
	w.words = append(w.words, outcome.Context...)
	if outcome.Result != nil {
		end.text, end.view = *outcome.Result, nil
	}
	w.close(c, *end)
}

// hush stops hooks that are being told.
func (w *worker) hush(why error) {
	if w.telling != nil {
		w.telling(why)
	}
}

func (w *worker) warn(c actor.Context, problems []string) {
	for _, problem := range problems {
		c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: problem})
	}
}

// spoken is what hooks have for the model, behind a result.
func (w *worker) spoken() string {
	if len(w.words) == 0 {
		return ""
	}
	return "\n\n[From the user's hooks: " + strings.Join(w.words, "\n") + "]"
}

// called is the name of a conversation for hooks: the one by which it is kept, or its number.
func (c Conversation) called() string { return cmp.Or(c.Kept.ID(), c.name) }

// hookPlace is where the hooks of a conversation run.
func (c *Config) hookPlace(env tools.Env) hooks.Place {
	return hooks.Place{Env: env, Client: c.Others.HookClient, Config: c.Home.State}
}

// errHooksLate is why hooks were not heard to the end.
var errHooksLate = errors.New("the turn was cancelled")
