package turn

import (
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/model"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/dialect"
)

// exchange composes the question and decides how the turn continues after the answer.
type exchange struct {
	*turnState
	billing  *billing
	speech   *speech
	recovery *recovery
	question providers.Question // the last question sent
	refused  bool               // the turn has already refused calls because no tool rounds were left
	reasked  bool               // the model was already told that it wrote a call as text
	prompted bool               // the turn has already asked for missing text or a missing call
	resumed  bool               // the model was asked once to continue a truncated answer
}

// A call that may be incomplete is never executed, because it may contain only half of a command.
// Instead, the model receives one of these messages as the result.
const (
	cutCalls  = "Error: your reply reached the output limit in the middle of this call, so it was not executed. Make smaller calls: write long files in pieces with create_file and append_file."
	tornCalls = "Error: part of your reply was lost, perhaps part of this call, so the call was not executed. Make the call again."
)

func (e *exchange) receive(c actor.Context, message model.Answered) {
	e.speech.reply = e.answer(message.Reply, e.billing.account(c, message))
	e.meter().RecordWindow(message.Reply.Window, message.Reply.Widest)
	if message.Err == nil {
		e.meter().Learn(e.question, message.Reply.Usage)
	}
	for _, notice := range message.Reply.Notices {
		e.note(c, messages.Warning, notice)
	}
}

// digest decides on the next step after an answer. The answer's cost is already recorded.
func (e *exchange) digest(c actor.Context, message model.Answered) step {
	healed := e.speech.healing()
	e.speech.flush(c)
	text := e.speech.current()
	if message.Err != nil && !e.cancel {
		return e.recovery.handleFailure(c, text, e.question, message.Err)
	}
	if e.unfinished(message.Reply, text) {
		e.resumed, e.recovery.failure = true, errLimit
		e.speech.carryOn(text, goOnLimit)
		return step{to: asks}
	}
	defer e.recovery.settle() // this answer is complete, so a later interruption concerns another answer
	calls := message.Reply.Calls
	e.undo = message.Reply.Undo
	switch {
	case e.cancel:
		return ending(e.cancelled(), e.limit)
	case len(calls) > 0 && e.outOfRounds():
		return e.refuseLate(text, calls)
	case len(calls) > 0 && message.Reply.Finish == providers.Length:
		return e.refuse(text, calls, cutCalls)
	case len(calls) > 0 && message.Reply.Torn:
		return e.refuse(text, calls, tornCalls)
	case len(calls) > 0:
		return step{to: runs, said: e.speech.currentMessage(text), calls: calls}
	case message.Reply.Finish == providers.Length:
		return e.stopped(messages.StopOutput, "the answer reached the model's output limit; ask the model to continue")
	case message.Reply.Finish == providers.Filtered:
		return e.stopped(messages.StopFiltered, "the provider's content filter ended the answer")
	case dialect.LooksLikeCall(text) && len(e.offered) > 0:
		return e.askAgainFor(&e.reasked, text, "Your last message looks like a tool call written as text, and nothing was executed. Call the tool through the tool interface, or answer in plain words.",
			fmt.Sprintf("%s writes tool calls as text that cannot be executed; choose a model that calls tools", e.choice.Model))
	case message.Reply.Finish == providers.Called:
		return e.askAgainFor(&e.prompted, text, "Your last message announced a tool call but contained none, so nothing was executed. Call the tool now, or give your answer in plain words.",
			"the model announced a tool call but made none; try again or choose another model")
	case text == "" && !healed && !e.exit: // for example, the model sent only reasoning
		return e.askAgainFor(&e.prompted, text, "Your last message had no words for the user. Give your answer now, in plain words, or call a tool.", emptyAnswer)
	case healed:
		e.turn.Join(e.speech.currentMessage(text))
	default:
		e.turn.AddAnswer(e.speech.currentMessage(text))
	}
	return step{to: completes}
}

// errLimit is the reason to ask for the rest of an answer that reached the output limit.
var errLimit = errors.New("the answer reached the model's output limit")

// unfinished returns true if the rest of an answer that reached the output limit must be requested.
// The rest is requested at most once in a turn, and never if a user is present to decide.
func (e *exchange) unfinished(reply providers.Reply, text string) bool {
	return reply.Finish == providers.Length && len(reply.Calls) == 0 && text != "" && !e.resumed && !e.cancel && !e.conversation.Policy.Person
}

const emptyAnswer = "the model gave an empty answer; try again or choose another model"

// askAgainFor rejects an unusable answer and queries the model again. If *asked is already true,
// askAgainFor ends the turn and reports the problem.
func (e *exchange) askAgainFor(asked *bool, text, words, problem string) step {
	if *asked {
		return ending(messages.Incomplete, problem)
	}
	*asked = true
	if text != "" {
		e.turn.AddAnswer(e.speech.currentMessage(text))
	}
	e.turn.AddRequest(e.messageFrom(messages.FromMarvin, words))
	return step{to: asks}
}

// outOfRounds reports whether the last request offered no tools because the tool rounds were used
// up.
func (e *exchange) outOfRounds() bool { return e.number > e.conversation.Policy.MaxRounds() }

// refuseLate refuses calls from a model to which no tools were offered. The first time, the turn
// asks for an answer in words. The second time, the turn ends.
func (e *exchange) refuseLate(text string, calls []messages.ToolCall) step {
	rounds := e.conversation.Policy.MaxRounds()
	e.unrun(text, calls, messages.Forbidden, fmt.Sprintf("Error: not executed: this turn has used up its %d rounds of tool calls. Answer now in plain words: say what you know and what is missing.", rounds))
	e.speech.begin() // the text so far belongs to the refused round
	if e.refused {
		return e.stopped(messages.StopRounds, fmt.Sprintf("all %d rounds of tool calls are used up, and the model still calls tools instead of answering", rounds))
	}
	e.refused = true
	return step{to: asks}
}

// refuse rejects the calls and asks the model again. Each call's result is the given reason.
func (e *exchange) refuse(text string, calls []messages.ToolCall, why string) step {
	e.unrun(text, calls, messages.ToolError, why)
	return step{to: asks}
}

// unrun adds the calls to the conversation but does not execute them. Each call's result is the
// given reason.
func (e *exchange) unrun(text string, calls []messages.ToolCall, status messages.Status, why string) {
	calls = e.turn.Name(calls)
	results := make([]messages.ToolResult, len(calls))
	for i, call := range calls {
		results[i] = messages.ToolResult{Call: call.ID, Name: call.Name, Status: status, Text: why}
	}
	e.turn.AddRound(e.speech.calling(text, calls), e.resultMessages(results, nil))
}
