package turn

import (
	"time"

	"marvin/actors/internal/call"
)

// Turn is one turn: it asks the model, runs the calls, and asks again until there
// is an answer. It lives exactly as long as the work and is never restarted. Its parts
// decide, and say what comes next; it alone moves the phase.
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
	borrowed    time.Duration // of people, beyond the time limit
}

// New puts a turn together. Each part is given what it works with.
func New(around Deps, open call.OpenSession, brief Input) *Turn {
	r := &Turn{turnState: newTurnState(around, brief)}
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
