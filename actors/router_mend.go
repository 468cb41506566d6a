package actors

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/ladder"
	"marvin/actors/internal/private"
	"marvin/actors/internal/splice"
	"marvin/messages"
	"marvin/providers"
)

// What a turn does when its model fails; which of it comes next is decided in
// internal/ladder: a larger model of the same provider, a shorter conversation, the rest of
// an answer that broke off, the next model of the role, and a word where none is left.

// goOn asks for the rest of an answer that broke off.
const goOn = "Your answer was cut off by the connection. Go on from exactly where it stopped, in the middle of the word if need be. Do not repeat anything and do not comment on this."

// failed takes the next rung after an error that retries did not mend.
func (r *router) failed(c actor.Context, text string, err error) {
	noteFailure(r, err)
	switch ladder.Decide(r.rungs(text, err)) {
	case ladder.Grow:
		r.number--
		r.grow(c, "the conversation does not fit its window") // guard: the larger model is asked before less is known to fit
		r.meter().Refused(r.question, err)
	case ladder.Compact:
		r.meter().Refused(r.question, err) // the window is smaller than we knew
		r.number--
		r.ask(c)
	case ladder.GoOn:
		r.failure = err
		r.heal(c, text)
	case ladder.Other:
		r.fallBack(c, text, err)
	case ladder.Say:
		r.giveUp(c, text, err)
	}
}

// rungs is what the ladder looks at.
func (r *router) rungs(text string, err error) ladder.State {
	state := ladder.State{Words: text != "", Joined: r.joint != nil, Shorter: r.weight.tried != 0}
	switch {
	case errors.Is(err, providers.ErrTooMuch):
		state.Fault = ladder.Beyond
	case errors.Is(err, providers.ErrTooLong):
		state.Fault = ladder.Overflow
		_, state.Larger = larger(r)
	case errors.Is(err, private.ErrBound):
		state.Fault = ladder.Bound
	case errors.Is(err, providers.ErrSilent):
		state.Fault = ladder.Silent
	case broke(err):
		state.Fault = ladder.Broke
	}
	_, state.Next = r.config.next(r.conversation, r.choice, r.tried, r.places())
	return state
}

// giveUp ends the turn with what went wrong, and what may be done about it.
func (r *router) giveUp(c actor.Context, text string, err error) {
	switch {
	case errors.Is(err, providers.ErrTooMuch):
		r.end(c, messages.Incomplete, advised(err))
	case errors.Is(err, providers.ErrSilent):
		text := fmt.Sprintf("⚠️ Response timed out after %.0fs.", r.silence().Seconds())
		// guard: nothing is rebuilt where nobody asks again
		if r.conversation.Policy.Person { // elsewhere nobody asks again
			text += " Rebuilding session."
		}
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: text})
		r.end(c, messages.Failed, advised(err))
	case r.joint != nil:
		r.end(c, messages.Incomplete, fmt.Sprintf("%s; asking for the rest failed: %s", explain(r.failure), explain(err)))
	case text != "" && broke(err):
		r.end(c, messages.Incomplete, advised(err))
	default:
		r.end(c, messages.Failed, advised(err))
	}
}

// noteFailure writes down that a model failed. Nobody waits for the disk: the log has a
// queue, which is written out before Marvin ends.
func noteFailure(r *router, err error) {
	r.config.Log.Warn("model failed", "provider", r.choice.Provider, "model", r.choice.Model, "session", r.conversation.Kept.ID(), "turn", r.brief.turn, "round", r.number, "reason", explain(err))
}

// quiet tells people that an answer stands still, and when it goes on.
func (r *router) quiet(c actor.Context, message quiet) {
	if r.phase != asking {
		return
	}
	waiting := messages.Waiting{Since: message.since}
	if !message.since.IsZero() { // guard: R11: an answer that stands still is told
		waiting.Why = fmt.Sprintf("No data from the model for %.0f s; after %.0f s it is given up.", r.config.Now().Sub(message.since).Seconds(), r.silence().Seconds())
	}
	c.Send(r.brief.session, waiting)
}

// broke says whether an error came between a server and its answer, so that the same
// model can go on from what it said.
func broke(err error) bool {
	var status *providers.StatusError
	if errors.As(err, &status) {
		return status.Status >= http.StatusInternalServerError || status.Status == http.StatusTooManyRequests
	}
	return errors.Is(err, providers.ErrCut) || errors.Is(err, providers.ErrUnreachable)
}

// heal keeps what came as the assistant's words and asks for the rest. What was
// shown is never asked for again: the joint drops what a model repeats all the same.
func (r *router) heal(c actor.Context, text string) {
	r.handOver(text)
	r.ask(c)
}

// pass takes text through a joint, if there is one.
func pass(joint *splice.Joint, text string) string {
	if joint == nil {
		return text
	}
	return joint.Pass(text)
}

// flush says what the joints hold back, because nothing follows that it could repeat.
func (r *router) flush(c actor.Context) {
	if r.joint != nil {
		r.say(c, pass(r.retold, r.joint.End()))
	}
	if r.retold != nil {
		r.say(c, r.retold.End())
		r.retold = nil
	}
}

// fallBack asks the session for the next model. What was shown is not shown again, and calls
// that ran are in the conversation with their results: none of them runs again.
func (r *router) fallBack(c actor.Context, text string, err error) {
	other, _ := r.config.next(r.conversation, r.choice, r.tried, r.places())
	r.tried = append(r.tried, r.choice, other)
	if r.failure == nil {
		r.failure = err
	}
	r.handOver(text)
	next := "falling back to Copilot SDK"
	if other.Provider != providers.Copilot {
		next = other.String() + " answers instead"
	}
	c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("⚠️ %s error: %s — %s", r.choice.Provider, explain(err), next)})
	c.Send(r.brief.session, messages.ModelChanged{Provider: other.Provider, Model: other.Model, Why: explain(err)})
	c.Request(r.brief.session, wantProvider{choice: other})
}

// larger is a model of the same provider in which the question has room.
func larger(r *router) (Choice, bool) {
	if r.config.Models.Larger == nil {
		return Choice{}, false
	}
	larger, ok := r.config.Models.Larger(r.choice, max(r.weight.tokens, r.config.window(r.choice)))
	return larger, ok && !slices.Contains(r.tried, larger) && r.config.affords(r.conversation, larger)
}

// grow has a larger model go on with the conversation, also in the turns that come: they
// would not fit the smaller one either.
func (r *router) grow(c actor.Context, why string) bool {
	wider, ok := larger(r)
	if !ok {
		return false
	}
	r.tried = append(r.tried, r.choice, wider)
	c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: fmt.Sprintf("%s: %s; %s, which has a larger window, goes on from here", r.choice, why, wider)})
	c.Send(r.brief.session, messages.ModelChanged{Provider: wider.Provider, Model: wider.Model, Why: why})
	c.Request(r.brief.session, wantProvider{choice: wider, stays: true})
	return true
}

// handOver tells the next provider all that was shown of an answer, also what a second
// try of the first one added to it, and has what it repeats of that dropped.
func (r *router) handOver(text string) {
	switch {
	case text == "" && r.joint == nil:
		return
	case r.joint == nil:
		r.turn.AddAnswer(r.said(text))
		r.turn.AddRequest(r.words(messages.FromMarvin, goOn))
	case text != "":
		r.turn.Join(r.said(text))
		r.turn.AddRequest(r.words(messages.FromMarvin, goOn))
	}
	r.broken += text
	r.joint = splice.New(r.broken) // guard: a take-over repeats nothing
}

// respondent is who is asked at present: for a summary it may be a cheaper model.
func (r *router) respondent() (Choice, *actor.PID) {
	if helper := r.summary.helper; r.phase == compacting && helper.pid != nil {
		return helper.choice, helper.pid
	}
	return r.choice, r.provider
}

// useProvider goes on with another model.
func (r *router) useProvider(c actor.Context, message useProvider) {
	if r.phase == compacting && !r.cancel {
		r.summary.helper = message
		r.summarise(c)
		return
	}
	r.choice, r.provider = message.choice, message.pid
	if r.cancel {
		r.end(c, r.cancelled(), r.limit)
		return
	}
	r.ask(c)
}
