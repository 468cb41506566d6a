package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/turn"
)

// openSub returns a function that makes sessions for sub-agents. These sessions receive no ntfy
// messages.
func openSub(around turn.Deps) call.OpenSession {
	around.Ntfy = nil
	return func(wish call.SubWish) (call.SubSession, func() actor.Actor) {
		state := NewState(wish.Conversation, wish.Listener)
		state.tainted, state.known, state.seen = wish.Tainted, wish.Known, wish.Seen
		return state, func() actor.Actor { return New(around, state) }
	}
}

// New makes a session and connects its parts.
func New(around turn.Deps, state *State) *session {
	s := &session{Deps: around, emitter: emitter{state: state, now: around.Config.Now}, reasons: map[string]error{}}
	s.queue.emitter = &s.emitter
	s.keeping = keeping{emitter: &s.emitter, config: s.Config, recorder: s.Recorder}
	s.titles = titles{emitter: &s.emitter, config: s.Config, recorder: s.Recorder}
	s.approval = approval{emitter: &s.emitter, config: s.Config, recorder: s.Recorder, turn: &s.turn}
	s.hooks = sessionHooks{emitter: &s.emitter, config: s.Config, servers: s.Servers}
	s.questions = questions{emitter: &s.emitter, approval: &s.approval, hooks: &s.hooks, asks: map[string]*pendingAsk{}}
	s.models = sessionModels{emitter: &s.emitter, config: s.Config, turn: &s.turn, providers: map[conv.Choice]*actor.PID{}}
	s.incoming = incoming{emitter: &s.emitter, config: s.Config, jobs: s.Jobs, turn: &s.turn}
	s.undoing = undoing{emitter: &s.emitter, Deps: around, keeping: &s.keeping, turn: &s.turn}
	s.files = filesOffer{emitter: &s.emitter, questions: &s.questions}
	s.branches = branches{emitter: &s.emitter, config: s.Config, keeping: &s.keeping, turn: &s.turn, undoing: &s.undoing}
	s.lookups = lookups{emitter: &s.emitter, config: s.Config, keeping: &s.keeping, jobs: s.Jobs}
	return s
}
