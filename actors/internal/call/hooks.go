package call

import (
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

// This file runs the user's hooks for one call. Some hooks run before Marvin decides whether the
// call may run, so that the user consents to the final arguments. Others run after the call, before
// its end is reported.

// hooked describes the state of a call's hooks.
type hooked struct {
	telling context.CancelCauseFunc // cancels the hooks; nil if no hooks are running
	wanted  string                  // why a hook wants the user to be asked, or ""
	words   []string                // text for the model, added after the result
	closing *callEnd                // the outcome to report after the ToolAfter hooks; nil before these hooks start
}

// Messages from the goroutine that runs hooks.
type (
	heardBefore struct{ outcome hooks.Outcome }
	heardAfter  struct{ outcome hooks.Outcome }
)

// runHooks runs hooks in a task. The last argument makes the message that delivers the outcome to
// the worker.
func (h *hooked) runHooks(c actor.Context, place hooks.HookEnv, list []hooks.Hook, said hooks.HookInput, mail func(hooks.Outcome) any) {
	ctx, cancel := context.WithCancelCause(context.Background())
	h.telling = cancel
	task.Do(c, func() any { return mail(hooks.Run(ctx, place, list, said)) }, func(panicked *task.Panicked) any {
		return mail(hooks.Crashed(said.Event, panicked))
	})
}

func (h *hooked) cancelHooks(why error) {
	if h.telling != nil {
		h.telling(why)
	}
}

// adjustVerdict applies a hook's request for the user's approval. The question appears in every
// approval mode, and the answer covers only this call. Without a user, the call is denied.
func (h *hooked) adjustVerdict(verdict tools.Verdict, person bool) tools.Verdict {
	if h.wanted == "" || verdict.Decision == tools.Deny {
		return verdict
	}
	verdict.Decision, verdict.Firm = tools.Ask, true
	verdict.Reasons = append([]string{h.wanted}, verdict.Reasons...)
	if !person {
		verdict.Decision, verdict.Advice = tools.Deny, "Only the user can decide this, and they are not here. Do without this call."
	}
	return verdict
}

// hookText returns the text that the hooks add after the result.
func (h *hooked) hookText() string {
	if len(h.words) == 0 {
		return ""
	}
	return "\n\n[From the user's hooks: " + strings.Join(h.words, "\n") + "]"
}

func (s *Situation) hooksBefore(tool string) []hooks.Hook {
	return s.Conversation.Hooks.Matching(hooks.ToolBefore, tool)
}

// hookInput describes a call to its hooks. The arguments have the names from the tool's schema,
// even if the model used other names.
func (s *Situation) hookInput(event hooks.Event, call tools.Call, written json.RawMessage) hooks.HookInput {
	args := call.Arguments()
	switch {
	case len(args) > 0:
	case json.Valid(written):
		args = written
	default:
		args = json.RawMessage("{}")
	}
	return hooks.HookInput{Event: event, Session: s.Conversation.HookName(), Dir: s.Conversation.Dir, Tool: call.Tool.Name, Args: args}
}

// consult executes the hooks that run before the call. Without such hooks, it judges the call at
// once.
func (w *worker) consult(c actor.Context) {
	list := w.hooksBefore(w.decoded.Tool.Name)
	if len(list) == 0 {
		w.settle(w.places)
		w.judge(c)
		return
	}
	said := w.hookInput(hooks.ToolBefore, w.decoded, w.call.Args)
	w.runHooks(c, w.Config.HookPlace(w.env(c, &Effect{})), list, said, func(outcome hooks.Outcome) any { return heardBefore{outcome} })
}

// applyHooks rejects the call if a hook refused it. Otherwise applyHooks judges the call, with any
// new arguments from the hooks.
func (w *worker) applyHooks(c actor.Context, outcome hooks.Outcome) {
	w.telling = nil
	if w.done {
		return
	}
	warn(c, outcome.Problems)
	w.words = append(w.words, outcome.Context...)
	if outcome.Decision == hooks.No {
		w.report(c, callEnd{status: messages.Forbidden, text: "Error: not executed: " + outcome.Reason + "\nThe user set up this check. Follow its message, or continue without the call; do not try the call in another form."})
		return
	}
	if outcome.Decision == hooks.Ask {
		w.wanted = outcome.Reason
	}
	if outcome.Args != nil {
		if err := w.rewrite(outcome.Args); err != nil {
			w.report(c, callEnd{status: messages.Forbidden, text: "Error: not executed: one of the user's hooks made the arguments of the call invalid: " + err.Error()})
			return
		}
	}
	w.settle(w.decoded.Places(w.env(c, &Effect{})))
	w.judge(c)
}

// rewrite replaces the arguments with those from the hooks. The new call is judged like any other.
func (w *worker) rewrite(args json.RawMessage) error {
	tool, err := w.Tools.Find(w.decoded.Tool.Name, w.Mode)
	if err != nil {
		return err
	}
	decoded, err := tool.Decode(args)
	if err != nil {
		return err
	}
	w.decoded, w.call.Args, w.title = decoded, args, decoded.Title
	shown, _ := tools.Limits{Bytes: 2 << 10}.Cut(tools.Visible(string(args)))
	w.words = append(w.words, "The arguments of this call were changed by one of the user's hooks. It was called with "+shown)
	return nil
}

// tellEnd starts the hooks that run after the call. It returns false if there are none or if the
// tool did not run.
func (w *worker) tellEnd(c actor.Context, end callEnd) bool {
	if w.begun.IsZero() || !ToolRan(end.status) {
		return false
	}
	list := w.Conversation.Hooks.Matching(hooks.ToolAfter, w.decoded.Tool.Name)
	if len(list) == 0 {
		return false
	}
	end.text = w.cleaned(w.call.Name, end.text)
	w.closing = &end
	said := w.hookInput(hooks.ToolAfter, w.decoded, w.call.Args)
	said.Result, said.Status = &end.text, string(end.status)
	w.runHooks(c, w.Config.HookPlace(w.env(c, &Effect{})), list, said, func(outcome hooks.Outcome) any { return heardAfter{outcome} })
	if end.status == messages.Interrupted { // the hooks get half of the call's grace period
		task.After(c, w.Config.Tuning.CancelGrace/2, hooksLate{})
	}
	return true
}

// hooksLate says that the hooks of a canceled call have used up their time.
type hooksLate struct{}

// reportAfterHooks applies the hooks' changes to the result, and reports the end of the call. A
// failed hook changes nothing.
func (w *worker) reportAfterHooks(c actor.Context, outcome hooks.Outcome) {
	w.telling = nil
	if w.done {
		return
	}
	end := w.closing
	warn(c, outcome.Problems)
	if outcome.Ended != nil {
		warn(c, []string{"The hooks after " + w.call.Name + " did not finish: " + outcome.Ended.Error()})
	}
	w.words = append(w.words, outcome.Context...)
	if outcome.Result != nil {
		end.text, end.view = *outcome.Result, nil
	}
	w.close(c, *end)
}

// warn sends each problem to the user.
func warn(c actor.Context, problems []string) {
	for _, problem := range problems {
		c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: problem})
	}
}

// ErrHooksLate is the cancellation cause for hooks of a canceled call, prompt or turn.
var ErrHooksLate = errors.New("the turn was cancelled")
