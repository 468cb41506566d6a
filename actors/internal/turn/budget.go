package turn

import (
	"fmt"

	"marvin/actors/internal/budget"
	"marvin/providers"
)

// How a turn stays within its model's window: every question is weighed before it is
// sent, and a conversation that grew too long is backed up and summarized first.

// weight is what is known of the size of the conversation.
type weight struct {
	tokens  int
	verdict budget.Verdict
	tried   int  // the size after the last attempt to compact
	starved bool // a tool had no room for its result
}

// shortPrompt is what a prompt must have room for, in tokens, or else the window is no good.
const shortPrompt = 200

// tooSmall says what to do where what every question carries leaves a prompt no room: a
// summary, or a new conversation, would not help. It is blank where there is room.
func (e *exchange) tooSmall(limits budget.Limits, tokens int) string {
	if tokens < limits.Refuse {
		return ""
	}
	meter, policy := e.meter(), e.conversation.Policy
	fixed := meter.Count(providers.Question{System: e.frame.System, Tools: e.offered}, 0)
	if fixed+min(meter.Text(e.input.Prompt), shortPrompt) < limits.Refuse {
		return ""
	}
	window, widest := meter.Widest()
	if window == 0 {
		window = e.Config.Window(e.choice)
	}
	next := "choose a model with a larger window (/model)"
	if widest > window { // only Ollama tells, where the window is the asker's choice
		next = fmt.Sprintf("give it a larger one (OLLAMA_CONTEXT_LENGTH, or ollama: {num_ctx: N} in config.yaml; up to %d tokens) or choose another model (/model)", widest)
	}
	switch {
	case policy.Coding && policy.Person:
		next += "; without coding mode (/code) there are fewer tools"
	case !policy.Agent && !policy.ReadOnly:
		next += "; with MARVIN_READONLY=1 only the tools that read remain"
	}
	return fmt.Sprintf("the model's window of %d tokens is too small: the instructions and %d tools alone take about %d, and the answer needs room too; %s", window, len(e.offered), fixed, next)
}

// roomForResult is how many tokens one result may take at most: what the caps leave.
const roomForResult = 16_000

// room is how many tokens each of so many results may take.
func (t *turnState) room(calls int) int {
	room := t.limits().Room(t.weight.tokens, calls)
	t.weight.starved = room < budget.MinOutputTokens
	return min(room, roomForResult)
}
