package turn

import (
	"time"

	"marvin/actors/internal/call"
)

// Turn is the actor of one turn and is never restarted. Each part returns the next step, which Turn
// executes.
type Turn struct {
	turnState
	hooks       turnHooks
	kept        turnKeeping
	speech      speech
	news        turnNews
	preparation preparation
	interjected interjected
	billing     billing
	recovery    recovery
	exchange    exchange
	compaction  compaction
	round       round
	borrowed    time.Duration // the value of All in the last ClockPaused message
}

// New returns the actor for one turn.
func New(deps Deps, open call.OpenSession, input Input) *Turn {
	t := &Turn{turnState: newTurnState(deps, input)}
	state := &t.turnState
	t.hooks = turnHooks{turnState: state}
	t.kept = turnKeeping{turnState: state, logged: writtenDown{frame: input.Frame, tools: len(input.Offered)}}
	t.speech = speech{turnState: state, kept: &t.kept, spoken: input.Said}
	t.news = turnNews{turnState: state, list: input.News}
	t.preparation = preparation{turnState: state, kept: &t.kept, news: &t.news, undone: input.Undone}
	t.interjected = interjected{turnState: state}
	t.billing = billing{turnState: state}
	t.recovery = recovery{turnState: state, speech: &t.speech}
	t.exchange = exchange{turnState: state, billing: &t.billing, speech: &t.speech, recovery: &t.recovery}
	t.compaction = compaction{turnState: state, billing: &t.billing, hooks: &t.hooks, focus: input.Focus}
	t.round = round{turnState: state, open: open, workers: map[string]int{}}
	return t
}
