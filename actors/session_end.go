package actors

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
)

// How a turn, and a conversation, ends.

// gone is where a turn ends, whatever ended it.
func (s *session) gone(c actor.Context, obituary task.Gone) {
	switch {
	case obituary.Who.Equal(s.router):
		s.buried = true
		s.settleEnd(c)
	case reverserGone(s, c, obituary.Who):
	default:
		s.providerGone(c, obituary.Who)
	}
}

// turnWritten goes on with what waits for the disk.
func (s *session) turnWritten(c actor.Context, message turnWritten) {
	if message.turn != s.state.running {
		return // of before a restart
	}
	s.written = true
	s.settleEnd(c)
}

func (s *session) idle(c actor.Context) {
	ended := s.ended
	if ended == nil { // it never reported: a bug, or a stop from above
		reason := s.reasons["router"]
		if reason == nil {
			reason = errors.New("the turn was stopped")
		}
		ended = &turnEnded{event: messages.TurnEnded{Outcome: messages.Failed, Text: s.state.said.String(), Err: reason.Error()}}
	}
	delete(s.reasons, "router")
	beside := s.beside
	if s.beside = nil; beside == nil { // guard: what is asked beside is forgotten
		if ended.whole {
			s.state.committed = nil
		}
		s.state.committed = append(s.state.committed, ended.messages...)
	}
	ended.event.Usage = s.state.usage
	for ask, pending := range s.asks {
		delete(s.asks, ask)
		if pending.told {
			s.tell(messages.Answered{Ask: ask, Choice: messages.No})
		}
	}
	s.tell(ended.event)
	s.state.running = ""
	s.ended = nil
	s.compacts = s.compacts || ended.compact
	if beside != nil {
		s.besideEnded(c, beside, ended)
	} else {
		s.state.conversation.Bound = s.config.bound(append(s.state.places(), ended.bound...))
		s.entitle(c, ended)
		s.state.words = append(ended.words, s.state.words...)
		s.state.tainted = cmp.Or(ended.tainted, s.state.tainted) // a turn that was lost takes nothing back
		if ended.frame.Began() {
			s.state.frame, s.state.offered = ended.frame, ended.offered
		}
	}
	if s.clearing {
		s.cleared(c)
	}
	if s.quitting {
		c.Stop(c.Self())
		return
	}
	s.release(c)
	s.next(c)
}

// providerGone forgets a provider that was given up; the next turn makes a new one.
func (s *session) providerGone(c actor.Context, who *actor.PID) {
	for choice, pid := range s.providers {
		if pid.Equal(who) {
			delete(s.providers, choice)
			if s.router != nil {
				c.Send(s.router, providerLost{who: who, reason: s.reasons[who.Id]})
			}
			delete(s.reasons, who.Id)
		}
	}
}

// HandleFailure decides what becomes of a child: a provider that asked to be
// replaced is, three times a minute at most; everything else is a bug, which ends
// the child with its reason remembered for whoever waits for it.
func (s *session) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, message any) {
	if child.Equal(s.router) {
		s.reasons["router"] = fmt.Errorf("internal error: %v", reason)
	} else {
		s.reasons[child.Id] = fmt.Errorf("internal error: %v", reason)
	}
	decide := func(reason any) actor.Directive {
		if _, wanted := reason.(replaceMe); wanted {
			return actor.RestartDirective
		}
		return actor.StopDirective
	}
	actor.NewOneForOneStrategy(3, time.Minute, decide).HandleFailure(system, supervisor, child, stats, reason, message)
}

// quit ends the session: at once if idle, else after the turn was cancelled.
func (s *session) quit(c actor.Context) {
	if s.greeting.rereads { // guard: a prompt that was sent is begun, and told to have ended
		s.greeting.reread()
		s.next(c)
	}
	s.quitting = true
	s.withdraw(func(waiting) bool { return true })
	if s.router != nil {
		s.hurry(c)
		return
	}
	if !s.moving { // else it ends with what is being read, which it has to give back
		c.Stop(c.Self())
	}
}
