package mcpservers

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
)

// restart closes the connection and clears all recorded failures. The next use starts the server.
func (s *server) restart(c actor.Context) {
	s.rests, s.starts, s.pause, s.err = time.Time{}, nil, 0, nil
	if session := s.session; session != nil {
		s.session, s.looked, s.log = nil, false, session.Log()
		task.Do(c, func() any { session.Close(); return serverIdle{} }, func(*task.Panicked) any { return serverIdle{} })
	}
}

// stop closes the connection when the actor ends. Closing takes at most the grace period of a child
// process.
func (s *server) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.give(func(wantSession) bool { return true }, leased{err: fmt.Errorf("the server %s has stopped, because Marvin is exiting", s.name)})
	if s.session != nil {
		s.session.Close()
	}
}

func (s *server) state() State {
	state := State{Name: s.name, State: ServerNotStarted, Looked: s.looked, Tools: len(s.manifest.Tools), Unapproved: s.manifest.Unapproved(), Log: s.log}
	switch {
	case s.session != nil:
		state.State, state.Log = "running", s.session.Log()
	case s.starting:
		state.State = "starting"
	case s.deps.Now().Before(s.rests):
		state.State = "resting until " + s.rests.Format("15:04:05")
	case s.paused:
		state.State = "starting again"
	case s.err != nil:
		state.State = "failed"
	}
	if s.err != nil {
		state.Err = s.err.Error()
	}
	return state
}
