package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/turn"
)

// openSub makes the sessions of sub-agents of calls. They hear no messages of topics.
func openSub(around turn.Deps) call.OpenSession {
	around.Ntfy = nil
	return func(wish call.SubWish) (call.SubSession, func() actor.Actor) {
		state := NewSessionState(wish.Conversation, wish.Listener)
		state.tainted, state.known, state.seen = wish.Tainted, wish.Known, wish.Seen
		return state, func() actor.Actor { return NewSession(around, state) }
	}
}

// NewSession puts a session together. Each part is given what it works with.
func NewSession(around turn.Deps, state *SessionState) *session {
	s := &session{Deps: around, voice: voice{state: state, now: around.Config.Now}, reasons: map[string]error{}}
	s.queue.voice = &s.voice
	s.keeping = keeping{voice: &s.voice, config: s.Config, recorder: s.Recorder}
	s.titles = titles{voice: &s.voice, config: s.Config, recorder: s.Recorder}
	s.approval = approval{voice: &s.voice, config: s.Config, recorder: s.Recorder, turn: &s.turn}
	s.hooks = sessionHooks{voice: &s.voice, config: s.Config, servers: s.Servers}
	s.questions = questions{voice: &s.voice, approval: &s.approval, hooks: &s.hooks, asks: map[string]*pendingAsk{}}
	s.models = sessionModels{voice: &s.voice, config: s.Config, turn: &s.turn, providers: map[conv.Choice]*actor.PID{}}
	s.incoming = incoming{voice: &s.voice, config: s.Config, jobs: s.Jobs, turn: &s.turn}
	s.undoing = undoing{voice: &s.voice, Deps: around, keeping: &s.keeping, turn: &s.turn}
	s.files = filesOffer{voice: &s.voice, questions: &s.questions}
	s.branches = branches{voice: &s.voice, config: s.Config, keeping: &s.keeping, turn: &s.turn, undoing: &s.undoing}
	s.lookups = lookups{voice: &s.voice, config: s.Config, keeping: &s.keeping, jobs: s.Jobs}
	return s
}
