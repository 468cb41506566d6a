package turn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/model"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools/hooks"
)

// The user's hooks for a turn. Their output decides how the turn continues. Without hooks, each
// step costs only a map lookup.

// consultation is one run of the hooks for an event.
type consultation struct {
	number int // distinguishes the current answer from a late one
	stop   context.CancelCauseFunc
	then   func(hooks.Outcome) step
	last   bool // the turn is already ending, so handleOutcome ignores a cancellation
}

type turnHooks struct {
	*turnState
	consulted consultation
	announced int // the number of the last request that turn.start announced
	stops     int // how many times hooks kept the turn from ending
}

type consultedHooks struct {
	number  int
	outcome hooks.Outcome
}

// mostStops is the maximum number of times that hooks can extend a turn.
const mostStops = 8

// consult executes the hooks for an event. The function fill completes the hooks' input, and their
// output is passed to the function next. Without hooks, that function is called at once.
func (h *turnHooks) consult(c actor.Context, event hooks.Event, fill func(*hooks.HookInput), next func(hooks.Outcome) step) step {
	list := h.conversation.Hooks.Matching(event, "")
	if len(list) == 0 {
		return next(hooks.Outcome{})
	}
	said := hooks.HookInput{Event: event, Session: h.conversation.HookName(), Dir: h.conversation.Dir, Prompt: h.input.Prompt}
	fill(&said)
	ctx, stop := context.WithCancelCause(context.Background())
	number := h.consulted.number + 1
	h.consulted = consultation{number: number, stop: stop, then: next, last: h.phase == leaving}
	place := h.Config.HookPlace(h.Config.HookEnv(h.conversation))
	task.Do(c, func() any { return consultedHooks{number, hooks.Run(ctx, place, list, said)} }, func(panicked *task.Panicked) any {
		return consultedHooks{number, hooks.Crashed(event, panicked)}
	})
	return step{to: consults}
}

// handleOutcome continues the turn after the hooks have run.
func (h *turnHooks) handleOutcome(c actor.Context, message consultedHooks) step {
	if message.number != h.consulted.number || h.consulted.then == nil {
		return step{}
	}
	then := h.consulted.then
	h.consulted.then = nil
	for _, problem := range message.outcome.Problems {
		h.note(c, messages.Warning, problem)
	}
	if h.cancel && !h.consulted.last {
		return ending(h.cancelled(), h.limit)
	}
	return then(message.outcome)
}

func (h *turnHooks) cancelHooks() {
	if h.consulted.then != nil {
		h.consulted.stop(call.ErrHooksLate)
	}
}

// welcome executes the agent.start hooks, which can refuse the prompt.
func (h *turnHooks) welcome(c actor.Context) step {
	if h.input.Compact {
		return step{to: gathers}
	}
	return h.consult(c, hooks.AgentStart, func(*hooks.HookInput) {}, func(outcome hooks.Outcome) step {
		if outcome.Decision == hooks.No {
			h.conversation.Policy.Persist, h.conversation.Stored = false, nil // a refused prompt is not stored
			return ending(messages.Incomplete, "the prompt was not sent: "+outcome.Reason)
		}
		h.unsaid = append(h.unsaid, outcome.Context...)
		return step{to: gathers}
	})
}

// announce executes the turn.start hooks once per request, except in a turn that only summarizes.
func (h *turnHooks) announce(c actor.Context) step {
	round := h.number + 1
	if h.announced == round || h.input.Compact {
		return step{to: poses}
	}
	h.announced = round
	about := func(said *hooks.HookInput) { said.Round = round }
	return h.consult(c, hooks.TurnStart, about, func(outcome hooks.Outcome) step {
		if outcome.Decision == hooks.No {
			return ending(messages.Incomplete, "the model was not asked: "+outcome.Reason)
		}
		if len(outcome.Context) > 0 {
			h.turn.AddNews(h.messageFrom(messages.FromFile, fromHooks(outcome.Context)), true)
		}
		return step{to: poses}
	})
}

// reportCost runs the turn.end hooks, which receive the usage so far. Afterward, the turn processes
// the model's answer.
func (h *turnHooks) reportCost(c actor.Context, message model.Answered) step {
	about := func(said *hooks.HookInput) {
		said.Round, said.Status, said.Answer = h.number, "ok", &message.Reply.Text
		if message.Err != nil {
			said.Status = "error"
		}
		usage := h.usage
		said.Usage = &hooks.Usage{Cost: usage.Cost, InputTokens: usage.InputTokens, OutputTokens: usage.OutputTokens}
	}
	return h.consult(c, hooks.TurnEnd, about, func(outcome hooks.Outcome) step {
		// The model receives this hook output in the current turn or with the next prompt.
		h.unsaid = append(h.unsaid, outcome.Context...)
		return step{to: digests, answer: message}
	})
}

// farewell asks the hooks whether the turn may end. If a hook refuses, the model gets the hook's
// reason and continues. Hooks can refuse at most mostStops times.
func (h *turnHooks) farewell(c actor.Context, answer string) step {
	about := func(said *hooks.HookInput) {
		stops := h.stops
		said.Answer, said.Stops = &answer, &stops
	}
	return h.consult(c, hooks.AgentStop, about, func(outcome hooks.Outcome) step {
		switch {
		case outcome.Decision != hooks.No:
			return ending(messages.Completed, "")
		case h.stops == mostStops:
			h.note(c, messages.Warning, fmt.Sprintf("The turn ends although a hook wants it to continue; the turn has already continued %d times: %s", mostStops, outcome.Reason))
			return ending(messages.Completed, "")
		}
		h.stops++
		h.another = answer != "" && !strings.HasSuffix(answer, "\n")
		h.note(c, messages.Info, "The turn continues: "+outcome.Reason)
		h.turn.AddRequest(h.messageFrom(messages.FromMarvin, "One of the user's checks reports that you are not done: "+strings.Join(append([]string{outcome.Reason}, outcome.Context...), "\n")))
		return step{to: asks}
	})
}

// mayCompact asks the hooks whether the conversation may be summarized.
func (h *turnHooks) mayCompact(c actor.Context) step {
	return h.consult(c, hooks.SessionCompact, func(*hooks.HookInput) {}, func(outcome hooks.Outcome) step {
		if outcome.Decision == hooks.No {
			return step{to: summarizes, refused: errors.New(outcome.Reason)}
		}
		h.unsaid = append(h.unsaid, outcome.Context...)
		return step{to: summarizes}
	})
}

// reportEnd runs the agent.end hooks before the turn reports its outcome.
func (h *turnHooks) reportEnd(c actor.Context, outcome messages.Outcome, problem, answer string) step {
	over := step{to: closes, outcome: outcome, problem: problem}
	if h.turn == nil || h.input.Compact {
		return over
	}
	about := func(said *hooks.HookInput) {
		said.Answer, said.Status, said.Reason = &answer, string(outcome), problem
	}
	return h.consult(c, hooks.AgentEnd, about, func(hooks.Outcome) step { return over })
}

func fromHooks(words []string) string {
	return "From the user's hooks:\n" + strings.Join(words, "\n")
}
