// Package limit ends answers that are too long. Answers are kept in memory, so an endless answer
// would use up all memory.
package limit

import (
	"context"
	"errors"
	"fmt"

	"marvin/providers"
)

// Limits for one answer. MaxText applies separately to text, to reasoning, and to hidden data such
// as signatures. The longest model answers have about 0.5 MiB of text. MaxArguments is larger than
// any file that a model can reasonably write in one call.
const (
	MaxText      = 8 << 20 // bytes
	MaxArguments = 4 << 20 // bytes per call
	MaxCalls     = 8192
)

// leastCall is the minimum number of bytes counted for a piece of a call, because even an empty
// piece takes that much memory.
const leastCall = 64

// Wrap returns a model that enforces this package's limits. Beyond a limit, Respond returns the
// text received so far, no calls, and an error that wraps [providers.ErrTooMuch].
func Wrap(model providers.Model) providers.Model { return limited{model} }

type limited struct{ providers.Model }

// measure is the number of bytes of each kind in an answer.
type measure struct{ said, thought, written, kept int }

// add includes a piece of the answer in the counts. The result is a message if the answer exceeds a
// limit, and "" otherwise.
func (m *measure) add(part providers.Part) string {
	m.kept += part.Kept
	switch part.Kind {
	case providers.TextPart:
		m.said += len(part.Text)
	case providers.ThinkingPart:
		m.thought += len(part.Text)
	case providers.CallingPart:
		m.written += max(part.Size, leastCall)
	case providers.AnewPart: // the answer starts again
		*m = measure{}
	}
	switch {
	case m.said > MaxText:
		return fmt.Sprintf("its text is longer than %d MiB", MaxText>>20)
	case m.thought > MaxText:
		return fmt.Sprintf("its reasoning is longer than %d MiB", MaxText>>20)
	case m.kept > MaxText:
		return fmt.Sprintf("it has more than %d MiB of data besides its text", MaxText>>20)
	case m.written > 2*MaxArguments:
		return fmt.Sprintf("the arguments of its calls exceed %d MiB", 2*MaxArguments>>20)
	}
	return ""
}

// Respond implements [providers.Model].
func (l limited) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	ctx, stop := context.WithCancelCause(ctx)
	leave := func() { stop(nil) }
	defer func() { leave() }()
	var seen measure
	var tooMuch error
	reply, err := l.Model.Respond(ctx, question, func(part providers.Part) {
		if tooMuch != nil {
			return // ignore pieces until the model stops
		}
		if what := seen.add(part); what != "" {
			tooMuch = fmt.Errorf("%w: %s", providers.ErrTooMuch, what)
			stop(tooMuch)
			return
		}
		if part.Kind == providers.ThinkingPart && part.Text == "" {
			return // nothing to show
		}
		emit(part)
	})
	if tooMuch == nil && err == nil {
		tooMuch = checkLimits(reply)
	}
	if tooMuch != nil {
		reply.Calls, reply.Rest = nil, nil
		if errors.Is(err, tooMuch) {
			return reply, err
		}
		return reply, tooMuch
	}
	if rest := reply.Rest; rest != nil { // the context must last until reply.Rest returns
		leave = func() {}
		reply.Rest = func() providers.Usage { defer stop(nil); return rest() }
	}
	return reply, err
}

func checkLimits(reply providers.Reply) error {
	if len(reply.Calls) > MaxCalls {
		return fmt.Errorf("%w: it has %d calls; the limit is %d at once", providers.ErrTooMuch, len(reply.Calls), MaxCalls)
	}
	for _, call := range reply.Calls {
		if len(call.Args) > MaxArguments {
			return fmt.Errorf("%w: a call to %.60q has %.1f MB of arguments; the limit is %d MiB", providers.ErrTooMuch, call.Name, float64(len(call.Args))/1e6, MaxArguments>>20)
		}
	}
	return nil
}
