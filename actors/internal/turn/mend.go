package turn

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/ladder"
	"marvin/actors/internal/model"
	"marvin/actors/internal/private"
	"marvin/messages"
	"marvin/providers"
)

// The steps of a turn after its model fails. Package internal/ladder decides which step comes next.

// recovery repairs failed and interrupted answers.
type recovery struct {
	*turnState
	speech  *speech
	tried   []conv.Choice // models that failed or took over in this turn
	failure error         // the error that first interrupted the answer
}

// settle declares the answer complete. The next interruption belongs to another answer.
func (m *recovery) settle() {
	m.speech.settle()
	m.failure = nil
}

// handleFailure continues or ends the turn if an error remains after retries.
func (m *recovery) handleFailure(c actor.Context, text string, question providers.Question, err error) step {
	m.logFailure(err)
	switch ladder.Decide(m.ladderState(text, err)) {
	case ladder.Grow:
		m.number--
		m.grow(c, "the conversation does not fit the model's context window")
		m.meter().RecordRefusal(question, err)
	case ladder.Compact:
		m.meter().RecordRefusal(question, err) // the window is smaller than assumed
		m.number--
		// Below this limit, the turn might not summarize without an explicit request.
		m.wanted = m.meter().Count(question, 0) < m.limits().Refuse
		return step{to: asks}
	case ladder.GoOn:
		m.failure = err
		m.speech.handOver(text)
		return step{to: asks}
	case ladder.Other:
		m.fallBack(c, text, err)
	case ladder.Say:
		return m.giveUp(c, text, err)
	}
	return step{}
}

// ladderState describes a failure for package ladder.
func (m *recovery) ladderState(text string, err error) ladder.State {
	state := ladder.State{Words: text != "", Joined: m.speech.healing(), Shorter: m.weight.tried != 0}
	switch {
	case errors.Is(err, providers.ErrTooMuch):
		state.Fault = ladder.Endless
	case errors.Is(err, providers.ErrTooLong):
		state.Fault = ladder.Overflow
		_, state.Larger = m.larger()
	case errors.Is(err, private.ErrBound):
		state.Fault = ladder.Withheld
	case errors.Is(err, providers.ErrSilent):
		state.Fault = ladder.Silent
	case broke(err):
		state.Fault = ladder.Interrupted
	}
	_, state.Next = m.Config.Next(m.conversation, m.choice, m.tried, m.places())
	return state
}

// giveUp ends the turn and explains the error to the user.
func (m *recovery) giveUp(c actor.Context, text string, err error) step {
	outcome, problem := messages.Failed, advise(err)
	switch {
	case errors.Is(err, providers.ErrTooMuch):
		outcome = messages.Incomplete
	case errors.Is(err, providers.ErrSilent):
		text := fmt.Sprintf("⚠️ Response timed out after %.0fs.", m.silence().Seconds())
		if m.conversation.Policy.Person { // only a user can send another prompt
			text += " Rebuilding session."
		}
		m.note(c, messages.Warning, text)
	case m.speech.healing():
		outcome, problem = messages.Incomplete, fmt.Sprintf("%s; asking for the rest failed: %s", explain(m.failure), explain(err))
	case text != "" && broke(err):
		outcome = messages.Incomplete
	}
	return ending(outcome, problem)
}

// logFailure logs an error. The log does not wait for the disk.
func (m *recovery) logFailure(err error) {
	m.Config.Log.Warn("model failed", "provider", m.choice.Provider, "model", m.choice.Model, "session", m.conversation.Stored.ID(), "turn", m.input.Turn, "round", m.number, "reason", explain(err))
}

// tellPause reports the start and the end of a pause in the answer.
func (m *recovery) tellPause(c actor.Context, message model.Quiet) {
	if m.phase != asking {
		return
	}
	waiting := messages.Waiting{Since: message.Since}
	if !message.Since.IsZero() {
		waiting.Why = fmt.Sprintf("No data from the model for %.0f s; Marvin gives up after %.0f s.", m.Config.Now().Sub(message.Since).Seconds(), m.silence().Seconds())
	}
	m.tell(c, waiting)
}

// broke returns true if err is a network error, an overload or an internal server error. After such
// an error, the same model can continue its answer.
func broke(err error) bool {
	if status, ok := errors.AsType[*providers.StatusError](err); ok {
		return status.Status >= http.StatusInternalServerError || status.Status == http.StatusTooManyRequests
	}
	return errors.Is(err, providers.ErrCut) || errors.Is(err, providers.ErrUnreachable)
}

// fallBack asks the session for the next model. That model continues the conversation, and repeats
// neither the shown text nor the calls that ran.
func (m *recovery) fallBack(c actor.Context, text string, err error) {
	other, _ := m.Config.Next(m.conversation, m.choice, m.tried, m.places())
	m.tried = append(m.tried, m.choice, other)
	if m.failure == nil {
		m.failure = err
	}
	m.speech.handOver(text)
	next := "falling back to Copilot SDK"
	if other.Provider != providers.Copilot {
		next = other.String() + " answers instead"
	}
	m.note(c, messages.Warning, fmt.Sprintf("⚠️ %s error: %s — %s", m.choice.Provider, explain(err), next))
	m.tell(c, messages.ModelChanged{Provider: other.Provider, Model: other.Model, Why: explain(err)})
	c.Request(m.input.Session, WantProvider{Choice: other})
}

// larger returns a model whose context window is larger and has room for the question. The model is
// from the same provider, has not been tried in this turn, and is within the cost limit.
func (m *recovery) larger() (conv.Choice, bool) {
	if m.Config.Models.Larger == nil {
		return conv.Choice{}, false
	}
	larger, ok := m.Config.Models.Larger(m.choice, max(m.weight.tokens, m.Config.Window(m.choice)))
	return larger, ok && !slices.Contains(m.tried, larger) && m.Config.CostLimitAllows(m.conversation, larger)
}

// grow switches to a model with a larger context window. Later turns use this model as well,
// because the conversation would not fit into the window of the old model.
func (m *recovery) grow(c actor.Context, why string) bool {
	wider, ok := m.larger()
	if !ok {
		return false
	}
	m.tried = append(m.tried, m.choice, wider)
	m.note(c, messages.Info, fmt.Sprintf("%s: %s; %s, which has a larger window, continues from here", m.choice, why, wider))
	m.tell(c, messages.ModelChanged{Provider: wider.Provider, Model: wider.Model, Why: why, Stays: true})
	c.Request(m.input.Session, WantProvider{Choice: wider, Stays: true})
	return true
}
