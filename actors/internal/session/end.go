package session

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/kernel"
	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
	"marvin/messages"
)

// The code in this file ends turns and conversations.

// handleGone is called when a child ends. Every turn ends here, whatever the cause.
func (s *session) handleGone(c actor.Context, who *actor.PID) {
	reason := s.reasons[who.Id]
	switch {
	case who.Equal(s.turn.pid):
		s.turn.buried = true
		if s.turn.hangs() {
			task.After(c, s.Config.Tuning.Disk, diskLate{turn: s.state.running})
		}
		s.settleEnd(c)
	case s.undoing.endIfGone(c, who, reason):
		delete(s.reasons, who.Id)
		s.startNextTurn(c)
	case s.models.forgetProvider(who):
		delete(s.reasons, who.Id)
		s.turn.send(c, turn.ProviderLost{Who: who, Reason: reason})
	}
}

// finishTurn reports the end of the turn and continues with the waiting prompts.
func (s *session) finishTurn(c actor.Context) {
	if s.turn.hangs() {
		s.tell(messages.Notice{Level: messages.Warning, Text: "The disk is not responding; if the machine stops now, the end of this turn is lost."})
	}
	ended, beside := s.turn.leave()
	s.state.marked = stateMark{} // the state must be logged again, even if unchanged
	if ended == nil {            // the turn failed or was stopped before it sent a report
		reason := s.reasons["router"]
		if reason == nil {
			reason = errors.New("the turn was stopped")
		}
		ended = &turn.Ended{Event: messages.TurnEnded{Outcome: messages.Failed, Text: s.state.Said(), Err: reason.Error()}}
	}
	delete(s.reasons, "router")
	if beside == nil {
		if ended.Whole {
			s.state.committed = nil
		}
		s.state.committed = append(s.state.committed, ended.Messages...)
		s.state.erased = max(s.state.erased, ended.Erased)
	}
	ended.Event.Usage = s.state.usage
	s.questions.close()
	undoes := ended.Undo != nil && beside == nil && ended.Event.Outcome == messages.Completed
	if undoes && !s.state.conversation.Policy.Person {
		s.warn("Marvin cannot ask here, so nothing was changed. Use /undo or /redo in a conversation: marvin -c.")
	}
	s.tell(ended.Event)
	s.state.running = ""
	s.state.compacts = s.state.compacts || ended.Compact
	if beside != nil {
		s.besideEnded(c, beside, ended)
	} else {
		s.state.conversation.PrivateDirs = s.Config.PrivateDirs(append(s.state.places(), ended.Bound...))
		s.titles.requestTitle(c, ended)
		s.state.words = append(ended.Words, s.state.words...)
		s.state.tainted = cmp.Or(ended.Tainted, s.state.tainted) // the old value stays if the turn sent no report
		if ended.Frame.Began() {
			s.state.frame, s.state.offered = ended.Frame, ended.Offered
		}
	}
	if s.state.clearing {
		s.finishClearing(c)
	}
	if s.state.quitting {
		c.Stop(c.Self())
		return
	}
	s.models.release(c)
	if undoes && s.state.conversation.Policy.Person {
		s.undoing.begin(c, *ended.Undo)
	}
	s.startNextTurn(c)
}

// HandleFailure restarts a child up to three times a minute if the child asks for a replacement.
// Any other failure is a bug and stops the child. The actors that wait for the child receive the
// reason for the failure.
func (s *session) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, message any) {
	broken := fmt.Errorf("internal error: %v", reason)
	if _, wanted := reason.(kernel.ReplaceMe); !wanted {
		broken = fmt.Errorf("%w (a fault in Marvin; `marvin log` shows where)", broken)
	}
	if child.Equal(s.turn.pid) {
		s.reasons["router"] = broken
	} else {
		s.reasons[child.Id] = broken
	}
	decide := func(reason any) actor.Directive {
		if _, wanted := reason.(kernel.ReplaceMe); wanted {
			return actor.RestartDirective
		}
		return actor.StopDirective
	}
	actor.NewOneForOneStrategy(3, time.Minute, decide).HandleFailure(system, supervisor, child, stats, reason, message)
}

// quit terminates the session. If a turn is running, quit cancels it first.
func (s *session) quit(c actor.Context) {
	if s.hooks.rereads {
		s.hooks.reread()
		s.startNextTurn(c)
	}
	s.state.quitting = true
	s.queue.withdraw(func(waitingPrompt) bool { return true })
	if s.turn.runs() {
		s.turn.hurry(c)
		s.settleEnd(c)
		return
	}
	if !s.branches.moving || s.branches.rest { // otherwise, continueFrom stops the session
		c.Stop(c.Self())
	}
}
