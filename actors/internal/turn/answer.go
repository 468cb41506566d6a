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

// exchange is what the model is asked, and what follows from its answer: calls, an end, or a
// second chance.
type exchange struct {
	*turnState
	billing  *billing
	speech   *speech
	recovery *recovery
	question providers.Question // the last one
	refused  bool               // calls beyond the last round were refused once
	reasked  bool               // the model was asked once to call tools properly
	prompted bool               // it was asked once more because its answer was not there
	resumed  bool               // it was asked once for the rest of an answer that reached its limit
}

// Why calls are not run that are not what the model wrote: half a command is never run,
// nor one with a hole.
const (
	cutCalls  = "Error: your reply reached the output limit in the middle of this call, so it was not executed. Make smaller calls: write long files in pieces with create_file and append_file."
	tornCalls = "Error: a piece of your reply was lost on its way here, perhaps of this call, so it was not executed. Make the call again."
)

// receive takes what is known of an answer, and says what it cost.
func (e *exchange) receive(c actor.Context, message model.Answered) {
	e.speech.reply = e.answer(message.Reply, e.billing.account(c, message))
	e.meter().Told(message.Reply.Window, message.Reply.Widest)
	if message.Err == nil {
		e.meter().Learn(e.question, message.Reply.Usage)
	}
	for _, notice := range message.Reply.Notices {
		e.note(c, messages.Warning, notice)
	}
}

// digest processes an answer after its cost is recorded.
func (e *exchange) digest(c actor.Context, message model.Answered) step {
	healed := e.speech.healing()
	e.speech.flush(c)
	text := e.speech.current()
	if message.Err != nil && !e.cancel {
		return e.recovery.failed(c, text, e.question, message.Err)
	}
	if e.unfinished(message.Reply, text) {
		e.resumed, e.recovery.failure = true, errLimit
		e.speech.carryOn(text, goOnLimit)
		return step{to: asks}
	}
	defer e.recovery.settle() // an answer that breaks off later is another one
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
		return step{to: runs, said: e.speech.said(text), calls: calls}
	case message.Reply.Finish == providers.Length:
		return e.stopped(messages.StopOutput, "the answer reached the model's output limit; ask it to continue")
	case message.Reply.Finish == providers.Filtered:
		return e.stopped(messages.StopFiltered, "the provider's content filter ended the answer")
	case dialect.LooksLikeCall(text) && len(e.offered) > 0:
		return e.reask(text)
	case message.Reply.Finish == providers.Called:
		return e.prompt(text, "Your last message ended as one that calls a tool, but there was no call in it, and nothing was executed. Call the tool now, or give your answer in plain words.",
			"the model said that it calls a tool, and there was no call; try again or choose another model")
	case text == "" && !healed && !e.exit: // it may have thought, or brought nothing at all
		return e.prompt(text, "Your last message had no words for the user. Give your answer now, in plain words, or call a tool.", emptyAnswer)
	case healed:
		e.turn.Join(e.speech.said(text))
	default:
		e.turn.AddAnswer(e.speech.said(text))
	}
	return step{to: completes}
}

// errLimit is why the rest of an answer is asked for that did not break off.
var errLimit = errors.New("the answer reached the model's output limit")

// unfinished says whether the rest of an answer is asked for that reached its limit: once, and
// where no user is there who could ask for it.
func (e *exchange) unfinished(reply providers.Reply, text string) bool {
	return reply.Finish == providers.Length && len(reply.Calls) == 0 && text != "" && !e.resumed && !e.cancel && !e.conversation.Policy.Person
}

// reask gives a model that writes tool calls into its text one chance to do better.
func (e *exchange) reask(text string) step {
	if e.reasked {
		return ending(messages.Incomplete, fmt.Sprintf("%s writes tool calls as text that cannot be executed; choose a model that calls tools", e.choice.Model))
	}
	e.reasked = true
	e.turn.AddAnswer(e.speech.said(text))
	e.turn.AddRequest(e.words(messages.FromMarvin, "Your last message looks like a tool call written as text, and nothing was executed. Call the tool through the tool interface, or answer in plain words."))
	return step{to: asks}
}

const emptyAnswer = "the model gave an empty answer; try again or choose another model"

// prompt asks once more for an answer that was not there.
func (e *exchange) prompt(text, words, problem string) step {
	if e.prompted {
		return ending(messages.Incomplete, problem)
	}
	e.prompted = true
	if text != "" {
		e.turn.AddAnswer(e.speech.said(text))
	}
	e.turn.AddRequest(e.words(messages.FromMarvin, words))
	return step{to: asks}
}

// outOfRounds says whether the last question went without tools, because the rounds of
// the turn are used up.
func (e *exchange) outOfRounds() bool { return e.number > e.conversation.Policy.MaxRounds() }

// refuseLate answers calls of a model that was asked without tools: none of them runs. It
// is asked for words once more, and then the turn ends with what there is.
func (e *exchange) refuseLate(text string, calls []messages.ToolCall) step {
	rounds := e.conversation.Policy.MaxRounds()
	e.unrun(text, calls, messages.Forbidden, fmt.Sprintf("Error: not executed: the %d rounds of tools of this turn are used up. Answer now in plain words, with what you know and what is missing.", rounds))
	e.speech.begin() // what was said is in the round
	if e.refused {
		return e.stopped(messages.StopRounds, fmt.Sprintf("the %d rounds of tools are used up, and the model still calls tools instead of answering", rounds))
	}
	e.refused = true
	return step{to: asks}
}

// refuse answers calls without running any.
func (e *exchange) refuse(text string, calls []messages.ToolCall, why string) step {
	e.unrun(text, calls, messages.ToolError, why)
	return step{to: asks}
}

// unrun adds a round of calls that did not run.
func (e *exchange) unrun(text string, calls []messages.ToolCall, status messages.Status, why string) {
	calls = e.turn.Name(calls)
	results := make([]messages.ToolResult, len(calls))
	for i, call := range calls {
		results[i] = messages.ToolResult{Call: call.ID, Name: call.Name, Status: status, Text: why}
	}
	e.turn.AddRound(e.speech.calling(text, calls), e.told(results, nil))
}
