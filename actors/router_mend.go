package actors

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/splice"
	"marvin/messages"
	"marvin/providers"
)

// What a turn does when its model fails: an answer that broke off is continued once,
// another provider takes over once, and what then is still missing is said.

// goOn asks for the rest of an answer that broke off.
const goOn = "Your answer was cut off by the connection. Go on from exactly where it stopped, in the middle of the word if need be. Do not repeat anything and do not comment on this."

// failed looks for a way on after an error that retries did not mend.
func (r *router) failed(c actor.Context, text string, err error) {
	switch {
	case errors.Is(err, providers.ErrTooLong) && r.weight.tried == 0:
		r.meter().Refused(r.question, err) // the window is smaller than we knew
		r.number--
		r.ask(c)
	case errors.Is(err, providers.ErrTooMuch):
		r.end(c, messages.Incomplete, explain(err))
	case text != "" && r.joint == nil && broke(err):
		r.failure = err
		r.heal(c, text)
	case r.fallBack(c, text, err):
		// the session answers with the other provider
	case errors.Is(err, providers.ErrSilent):
		text := fmt.Sprintf("⚠️ Response timed out after %.0fs.", r.silence().Seconds())
		if r.brief.conversation.Policy.Person { // elsewhere nobody asks again
			text += " Rebuilding session."
		}
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: text})
		r.end(c, messages.Failed, explain(err))
	case r.joint != nil:
		r.end(c, messages.Incomplete, fmt.Sprintf("%s; asking for the rest failed: %s", explain(r.failure), explain(err)))
	case text != "" && broke(err):
		r.end(c, messages.Incomplete, explain(err))
	default:
		r.end(c, messages.Failed, explain(err))
	}
}

// silence is how long the model may say nothing: as the turn began, so it goes on.
func (r *router) silence() time.Duration { return r.config.Tuning.silence(r.brief.conversation.Policy) }

// quiet tells people that an answer stands still, and when it goes on.
func (r *router) quiet(c actor.Context, message quiet) {
	if r.phase != asking {
		return
	}
	waiting := messages.Waiting{Since: message.since}
	if !message.since.IsZero() {
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

// fallBack asks the session for another provider, if there is one for this failure.
func (r *router) fallBack(c actor.Context, text string, err error) bool {
	if r.fellBack || r.config.Fallback == nil {
		return false
	}
	other, ok := r.config.Fallback(r.choice)
	if !ok {
		return false
	}
	r.fellBack = true
	if r.failure == nil {
		r.failure = err
	}
	r.handOver(text)
	c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("⚠️ %s error: %s — falling back to Copilot SDK", r.choice.Provider, explain(err))})
	c.Send(r.brief.session, messages.ModelChanged{Provider: other.Provider, Model: other.Model, Why: explain(err)})
	c.Request(r.brief.session, wantProvider{choice: other})
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
	r.joint = splice.New(r.broken)
}

// useProvider goes on with another model.
func (r *router) useProvider(c actor.Context, message useProvider) {
	r.choice, r.brief.provider = message.choice, message.pid
	if r.cancel {
		r.end(c, r.cancelled(), r.limit)
		return
	}
	r.ask(c)
}
