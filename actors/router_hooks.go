package actors

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/hooks"
)

// The user's hooks about a turn: it goes on with what they say, or ends. Without hooks each
// of these steps is a look at a map.

// consultation is hooks that a turn waits for.
type consultation struct {
	number int // counts, so that none is heard in the place of another
	stop   context.CancelCauseFunc
	then   func(hooks.Outcome)
	last   bool // it is about the end, which comes whatever happens meanwhile
}

// hookedTurn is what hooks make of a turn.
type hookedTurn struct {
	consulted consultation
	announced int // the question to the model that turn.start was told of
	stops     int // how often a hook put the end off
}

// consultedHooks comes from the goroutine that tells hooks.
type consultedHooks struct {
	number  int
	outcome hooks.Outcome
}

// mostStops is how often hooks may put off the end of a turn.
const mostStops = 8

// consult tells the hooks of an event and then goes on, at once where there are none. about
// completes what they are told.
func (r *router) consult(c actor.Context, event hooks.Event, about func(*hooks.Said), then func(hooks.Outcome)) {
	list := r.conversation.hooks.For(event, "")
	if len(list) == 0 {
		then(hooks.Outcome{})
		return
	}
	said := hooks.Said{Event: event, Session: r.conversation.called(), Dir: r.conversation.Dir, Prompt: r.brief.prompt}
	about(&said)
	ctx, stop := context.WithCancelCause(context.Background())
	if r.phase != ending {
		r.phase = consulting
	}
	number := r.consulted.number + 1
	r.consulted = consultation{number: number, stop: stop, then: then, last: r.phase == ending}
	place := r.config.hookPlace(r.config.hookEnv(r.conversation))
	task.Do(c, func() any { return consultedHooks{number, hooks.Tell(ctx, place, list, said)} }, func(panicked *task.Panicked) any {
		return consultedHooks{number, hooks.Crashed(event, panicked)}
	})
}

// advised goes on with what the hooks said.
func (r *router) advised(c actor.Context, message consultedHooks) {
	if message.number != r.consulted.number || r.consulted.then == nil {
		return
	}
	then := r.consulted.then
	r.consulted.then = nil
	for _, problem := range message.outcome.Problems {
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: problem})
	}
	if r.cancel && !r.consulted.last {
		r.end(c, r.cancelled(), r.limit)
		return
	}
	then(message.outcome)
}

// hushHooks ends a wait for hooks.
func (r *router) hushHooks() {
	if r.consulted.then != nil {
		r.consulted.stop(errHooksLate)
	}
}

// welcome has the hooks look at the prompt, before anything else has it.
func (r *router) welcome(c actor.Context) {
	if r.brief.compact {
		r.gather(c)
		return
	}
	r.consult(c, hooks.AgentStart, func(*hooks.Said) {}, func(outcome hooks.Outcome) {
		if outcome.Decision == hooks.No {
			r.conversation.Policy.Persist, r.conversation.Kept = false, nil // nobody has it
			r.end(c, messages.Incomplete, "the prompt was not sent: "+outcome.Reason)
			return
		}
		r.unsaid = append(r.unsaid, outcome.Context...)
		r.gather(c)
	})
}

// announce tells that the model will be asked, once for each question.
func (r *router) announce(c actor.Context, then func()) {
	round := r.number + 1
	if r.announced == round {
		then()
		return
	}
	r.announced = round
	about := func(said *hooks.Said) { said.Round = round }
	r.consult(c, hooks.TurnStart, about, func(outcome hooks.Outcome) {
		if outcome.Decision == hooks.No {
			r.end(c, messages.Incomplete, "the model was not asked: "+outcome.Reason)
			return
		}
		if len(outcome.Context) > 0 {
			r.turn.AddNews(r.words(messages.FromFile, fromHooks(outcome.Context)), true)
		}
		then()
	})
}

// reported tells what a question to the model cost, and goes on with its answer.
func (r *router) reported(c actor.Context, message answered, then func()) {
	about := func(said *hooks.Said) {
		said.Round, said.Status, said.Answer = r.number, "ok", &message.reply.Text
		if message.err != nil {
			said.Status = "error"
		}
		usage := r.usage
		said.Usage = &hooks.Usage{Cost: usage.Cost, InputTokens: usage.InputTokens, OutputTokens: usage.OutputTokens}
	}
	r.consult(c, hooks.TurnEnd, about, func(outcome hooks.Outcome) {
		r.phase = asking
		r.unsaid = append(r.unsaid, outcome.Context...) // with the next prompt
		then()
	})
}

// farewell asks the hooks whether the work is done. A no is why it is not, which the model
// goes on with, so often at most.
func (r *router) farewell(c actor.Context) {
	about := func(said *hooks.Said) {
		answer, stops := r.spoken.String(), r.stops
		said.Answer, said.Stops = &answer, &stops
	}
	r.consult(c, hooks.AgentStop, about, func(outcome hooks.Outcome) {
		switch {
		case outcome.Decision != hooks.No:
			r.end(c, messages.Completed, "")
		case r.stops == mostStops:
			c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("The turn ends although a hook wants it to go on, which it did %d times: %s", mostStops, outcome.Reason)})
			r.end(c, messages.Completed, "")
		default:
			r.stops++
			c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: "The turn goes on: " + outcome.Reason})
			r.turn.AddRequest(r.words(messages.FromMarvin, "A check of the user's says that you are not done: "+strings.Join(append([]string{outcome.Reason}, outcome.Context...), "\n")))
			r.ask(c)
		}
	})
}

// mayCompact asks the hooks before the conversation is summarised.
func (r *router) mayCompact(c actor.Context) {
	r.consult(c, hooks.SessionCompact, func(*hooks.Said) {}, func(outcome hooks.Outcome) {
		r.phase = compacting
		if outcome.Decision == hooks.No {
			r.compacted(c, compacted{err: errors.New(outcome.Reason)})
			return
		}
		r.unsaid = append(r.unsaid, outcome.Context...)
		r.summarise(c)
	})
}

// dismissed tells how the work on a prompt ended, before anybody else hears of it.
func (r *router) dismissed(c actor.Context, outcome messages.Outcome, problem string, then func()) {
	if r.turn == nil || r.brief.compact {
		then()
		return
	}
	about := func(said *hooks.Said) {
		answer := r.spoken.String()
		said.Answer, said.Status, said.Reason = &answer, string(outcome), problem
	}
	r.consult(c, hooks.AgentEnd, about, func(hooks.Outcome) { then() })
}

// fromHooks is what hooks have to say, as a model reads it.
func fromHooks(words []string) string {
	return "From the user's hooks:\n" + strings.Join(words, "\n")
}

// hookEnv is what hooks may use that concern no call.
func (c *Config) hookEnv(conversation Conversation) tools.Env {
	return tools.Env{
		Home: c.Home.User, State: c.Home.State, Dir: conversation.Dir, Root: conversation.Root, Now: c.Now,
		Environ: tools.Telling(c.Environ, conversation.Policy.mode()), Held: tools.Held{Sandbox: c.Sandbox}, Approval: conversation.Policy.Approval,
	}
}
