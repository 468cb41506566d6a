package turn

import (
	"marvin/actors/internal/call"
	"marvin/actors/internal/model"
	"marvin/messages"
)

// step is what a turn does next. A part decides it, and the router takes it; the zero value
// waits for mail.
type step struct {
	to      direction
	outcome messages.Outcome    // of an end
	problem string              // with it, for people
	said    messages.Message    // an answer, with the words in front of its calls
	calls   []messages.ToolCall // to run
	answer  model.Answered      // to digest
	refused error               // why no summary is made
}

type direction uint8

const (
	waits      direction = iota
	gathers              // reads what the first request needs
	begins               // asks once that is there
	asks                 // the model, as long as the limits allow it
	poses                // the question
	weighs               // waits until it is counted
	sends                // the question
	digests              // an answer that is fully recorded
	prunes               // old results
	compacts             // the conversation
	summarizes           // its older messages, unless that is refused
	runs                 // calls
	continues            // behind a round
	completes            // with the answer that came
	consults             // waits for hooks
	ends
	closes // when the hooks know the end
)

// ending is the end of a turn.
func ending(outcome messages.Outcome, problem string) step {
	return step{to: ends, outcome: outcome, problem: problem}
}

// NewRouter puts a turn together. Each part is given what it works with.
func NewRouter(around Deps, open call.OpenSession, brief Input) *router {
	r := &router{turnState: newTurnState(around, brief)}
	state := &r.turnState
	r.hooks = turnHooks{turnState: state}
	r.kept = turnKeeping{turnState: state, logged: writtenDown{frame: brief.Frame, tools: len(brief.Offered)}}
	r.speech = speech{turnState: state, kept: &r.kept, spoken: brief.Said}
	r.news = turnNews{turnState: state, list: brief.News}
	r.preparation = preparation{turnState: state, kept: &r.kept, news: &r.news, undone: brief.Undone}
	r.interjected = interjected{turnState: state}
	r.billing = billing{turnState: state}
	r.recovery = recovery{turnState: state, speech: &r.speech}
	r.exchange = exchange{turnState: state, billing: &r.billing, speech: &r.speech, recovery: &r.recovery}
	r.compaction = compaction{turnState: state, billing: &r.billing, hooks: &r.hooks, focus: brief.Focus}
	r.round = round{turnState: state, open: open, workers: map[string]int{}}
	return r
}
