package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/alarms"
	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/lsp"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/model"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
	"marvin/messages"
)

// session is the actor for one conversation. Only the session writes the transcript and emits
// events. It reports the end of a turn when the turn is on disk, or when the wait for the disk
// times out.
type session struct {
	turn.Deps
	emitter
	turn      currentTurn
	queue     promptQueue
	paused    pausedTurn
	approval  approval
	questions questions
	hooks     sessionHooks
	models    sessionModels
	incoming  incoming
	keeping   keeping
	titles    titles
	branches  branches
	undoing   undoing
	files     filesOffer
	lookups   lookups

	reasons map[string]error // why a child failed, by actor id; the turn has the key "router"
}

// Receive dispatches each message to the method for its subject.
func (s *session) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		s.open(c)
		s.incoming.adopt(c)
	case messages.Op:
		s.op(c, message)
	case messages.Event:
		s.tell(message)
	case mail.AskUser, mail.Answered, mail.RelayedDecision, mail.Retract, mail.NoWindowOpen, unanswered, filesKept:
		s.receiveQuestion(c, message)
	case turn.Ended, recorder.TurnWritten, diskLate, model.UsagePending, model.Corrected, turn.TimeUp:
		s.receiveTurn(c, message)
	case turn.WantProvider, modelFound:
		s.receiveModel(c, message)
	case mail.DirChanged, mail.ProfileChanged, conv.Plan, conv.Trust:
		s.receiveChange(c, message)
	case mail.JobEnded, mail.JobRead, mail.Diagnosed, lsp.Running, mail.TakePending, alarms.Fired:
		s.receiveNews(c, message)
	case greeted, observed, reread:
		s.receiveHooks(c, message)
	case undoPlanned, takenBack, reversed:
		s.receiveUndo(c, message)
	case moved, contentRead:
		s.receiveBranch(c, message)
	case treeUnread:
		s.answering(&message.request).warn(message.err.Error())
	case titled:
		s.titles.storeTitle(c, message, s.turn.runs())
	case mail.RequestSent:
		s.keeping.logRequest(c, s.turn.beside, message.Sent)
	case mail.SayOnce:
		s.sayOnce(c, message)
	case *actor.Stopping:
		s.hooks.cancelHooks(call.ErrHooksLate)
		s.keeping.closeLog(c)
		s.keeping.closeArtifacts(c)
	case *actor.Terminated:
		task.MailTerminated(c, message)
	case task.ChildGone:
		s.handleGone(c, message.Who)
	}
	s.paused.tell(c, len(s.questions.asks) > 0, s.Config.Now)
	if !s.branches.moving && len(s.models.choosing) == 0 { // otherwise the state changes again
		s.keeping.noteState(c)
	}
}

// op dispatches an op from a front end.
func (s *session) op(c actor.Context, op messages.Op) {
	switch op := op.(type) {
	case messages.Request:
		s.request = &op.ID
		s.op(c, op.Op)
		s.request = nil
	case messages.Prompt:
		s.prompt(c, op)
	case messages.Cancel:
		s.cancel(c, op)
	case messages.Background, messages.VisitAgent, messages.SideQuestion, messages.Handoff:
		s.opTurn(c, op)
	case messages.Answer, messages.Attend, messages.ListGrants, messages.Revoke:
		s.questions.op(c, op)
	case messages.SetDir, messages.SetMode, messages.SetApproval, messages.SetModel, messages.SetProfile:
		s.opSetting(c, op)
	case messages.ShowContext, messages.ShowNeeds, messages.ListSent, messages.ListTree, messages.ListArtifacts:
		s.lookups.op(c, op)
	case messages.Undo, messages.TakeBack, messages.ListChanges:
		s.undoing.op(c, op)
	case messages.Resume, messages.Fork, messages.Branch, messages.Rewind:
		s.branches.op(c, op)
	case messages.Label:
		s.branches.label(c, op)
	case messages.Compact:
		s.compact(c, op.Focus)
	case messages.Clear:
		s.clear(c)
	case messages.Rename:
		s.titles.rename(c, op.Title)
	case messages.Quit:
		s.quit(c)
	}
}

func (s *session) open(c actor.Context) {
	begin := &s.state.conversation
	if begin.Undo == nil {
		s.keeping.createUndoLog()
	}
	if begin.Artifacts == nil {
		s.keeping.artifacts()
	}
	defer s.branches.complete(c)
	if s.state.seq == 0 {
		s.approval.warnUnasked(c)
		s.tell(messages.Opened{
			Profile: begin.Profile, Provider: begin.Choice.Provider, Model: begin.Choice.Model,
			Dir: begin.Dir, Coding: begin.Policy.Coding, Approval: begin.Policy.EventMode(), Effort: string(begin.Effort),
		})
		s.keeping.showResumed(c, true)
		if !nothing(s.state.usage) { // the conversation was resumed
			s.tell(messages.UsageChanged{Usage: s.state.usage})
		}
		s.hooks.opens(c)
		return
	}
	// The session was restarted. The running turn is lost, but not the transcript.
	s.tell(messages.Notice{Level: messages.Problem, Text: "An internal error ended the running turn. The conversation before this turn is intact; the details are in the log (marvin log)."})
	if s.state.running != "" {
		s.tell(messages.TurnEnded{Outcome: messages.Failed, Text: s.state.Said(), Usage: s.state.usage, Err: "internal error"})
		s.state.running = ""
	}
	if s.state.clearing {
		s.finishClearing(c)
	}
	if s.state.quitting {
		c.Stop(c.Self())
		return
	}
	s.startNextTurn(c)
}
