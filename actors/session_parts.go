package actors

import (
	"github.com/asynkron/protoactor-go/actor"
)

// openSub makes the sessions of sub-agents of calls. They hear no messages of topics.
func openSub(around surroundings) openSession {
	around.ntfy = nil
	return func(wish subWish) (SubSession, func() actor.Actor) {
		state := newSessionState(wish.conversation, wish.listener)
		state.tainted, state.known, state.seen = wish.tainted, wish.known, wish.seen
		return state, func() actor.Actor { return newSession(around, state) }
	}
}

// newSession puts a session together. Each part is given what it works with.
func newSession(around surroundings, state *sessionState) *session {
	s := &session{surroundings: around, voice: voice{state: state, now: around.config.Now}, reasons: map[string]error{}}
	s.queue.voice = &s.voice
	s.keeping = keeping{voice: &s.voice, config: s.config, recorder: s.recorder}
	s.titles = titles{voice: &s.voice, config: s.config, recorder: s.recorder}
	s.approval = approval{voice: &s.voice, config: s.config, recorder: s.recorder, turn: &s.turn}
	s.hooks = sessionHooks{voice: &s.voice, config: s.config, servers: s.servers}
	s.questions = questions{voice: &s.voice, approval: &s.approval, hooks: &s.hooks, asks: map[string]*pendingAsk{}}
	s.models = sessionModels{voice: &s.voice, config: s.config, turn: &s.turn, providers: map[Choice]*actor.PID{}}
	s.incoming = incoming{voice: &s.voice, config: s.config, jobs: s.jobs, turn: &s.turn}
	s.undoing = undoing{voice: &s.voice, surroundings: around, keeping: &s.keeping, turn: &s.turn}
	s.files = filesOffer{voice: &s.voice, questions: &s.questions}
	s.branches = branches{voice: &s.voice, config: s.config, keeping: &s.keeping, turn: &s.turn, undoing: &s.undoing}
	s.lookups = lookups{voice: &s.voice, config: s.config, keeping: &s.keeping, jobs: s.jobs}
	return s
}
