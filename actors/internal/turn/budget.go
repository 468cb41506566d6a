package turn

import (
	"fmt"

	"marvin/actors/internal/budget"
	"marvin/providers"
)

// This file keeps a turn within the model's context window. Each question is measured before it is
// sent. If the conversation is too long, it is backed up and summarized.

// weight is the measured size of the conversation.
type weight struct {
	tokens  int
	verdict budget.Verdict
	tried   int  // the size after the last attempt to compact
	starved bool // there was too little room for tool results
}

// shortPrompt is the minimum number of tokens that must be left for a prompt. A window with less
// room is unusable.
const shortPrompt = 200

// tooSmall returns "" if the window can hold the instructions, the tools and a prompt. Otherwise it
// returns advice, because neither a summary nor a new conversation would make room.
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
	if widest > window { // only Ollama lets the client choose the window
		next = fmt.Sprintf("give the model a larger window of up to %d tokens (OLLAMA_CONTEXT_LENGTH, or ollama: {num_ctx: N} in config.yaml), or choose another model (/model)", widest)
	}
	switch {
	case policy.Coding && policy.Person:
		next += ", or switch coding mode off (/code), which removes tools"
	case !policy.Agent && !policy.ReadOnly:
		next += ", or set MARVIN_READONLY=1, which leaves only the tools that read"
	}
	return fmt.Sprintf("the model's window of %d tokens is too small: the instructions and %d tools alone take about %d, and the answer needs room too; %s", window, len(e.offered), fixed, next)
}

// roomForResult is the maximum size of one result, in tokens.
const roomForResult = 16_000

// room returns the maximum size of each call's result, in tokens.
func (t *turnState) room(calls int) int {
	room := t.limits().Room(t.weight.tokens, calls)
	t.weight.starved = room < budget.MinOutputTokens
	return min(room, roomForResult)
}
