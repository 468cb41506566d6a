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

// session is one conversation: the only writer of its transcript and the only source of its events.
// It is busy while a router runs and until the turn is stored: an end that was reported survives a
// power cut.
type session struct {
	turn.Deps
	voice
	turn      currentTurn
	queue     promptQueue
	lending   lending
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

	reasons map[string]error // why a child failed, by process id
}

func (s *session) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		s.open(c)
		s.incoming.adopt(c)
	case messages.Op:
		s.op(c, message)
	case messages.Event:
		s.tell(message)
	case mail.SayOnce:
		s.sayOnce(c, message)
	case mail.AskUser:
		s.questions.ask(c, message)
	case greeted:
		s.hooks.greeted(message.outcome)
		s.next(c)
	case observed:
		s.hooks.observed(message.outcome)
	case reread:
		s.hooks.tookUp(message)
		s.next(c)
	case undoPlanned:
		s.undoing.planned(c, message)
	case moved:
		s.moved(c, message)
	case completed:
		s.completed(c, message)
	case treeRead:
		s.lookups.treeRead(message)
	case artifactsListed:
		s.lookups.artifactsListed(message)
	case titled:
		s.titles.made(c, message, s.turn.runs())
	case mail.Departed:
		s.keeping.departed(c, s.turn.beside, message.Sent)
	case mail.Granted:
		if message.Ask != filesQuestion {
			s.undoing.answered(c, message)
		} else if s.files.asking {
			s.setMode(s.files.answered(c, message.Choice))
			s.next(c)
		}
	case filesKept:
		if message.err != nil {
			s.warned("The answer holds for now, and is not kept for the next start: " + message.err.Error())
		}
	case takenBack:
		s.undoing.takenBack(c, message)
		s.next(c) // what was said meanwhile
	case reversed:
		s.undoing.reversed(c, message)
		s.next(c)
	case mail.Relayed:
		s.questions.relayed(c, message)
	case mail.Retract:
		s.questions.retract(c, message.Ask)
	case unanswered:
		s.questions.unanswered(c, message)
	case turn.TurnEnded:
		if message.Turn == s.state.running { // and not one of before a restart
			s.turn.ended = &message
		}
	case recorder.TurnWritten:
		if message.Turn == s.state.running {
			s.turn.written = true
			s.settleEnd(c)
		}
	case diskLate:
		if message.turn == s.state.running && s.turn.buried {
			s.turn.late = true
			s.settleEnd(c)
		}
	case model.Owing:
		s.turn.owed++
	case model.Corrected:
		s.corrected(c, message)
	case turn.WantProvider:
		s.models.lend(c, message)
	case meant:
		if s.models.found(c, message) {
			s.next(c)
		}
	case mail.DirChanged:
		s.setDir(c, message.Path, message.Chosen)
	case mail.ProfileChanged:
		s.setProfile(message.Name)
	case conv.Plan:
		if s.turn.beside == nil { // not part of the conversation
			s.state.plan = message
			s.state.plans++
			s.tell(messages.PlanChanged{Plan: message.Is})
		}
	case conv.Trust:
		s.state.conversation.Trust = message
	case mail.JobEnded:
		s.incoming.jobEnded(c, message)
	case mail.Diagnosed:
		s.incoming.diagnosed(message.Files)
	case lsp.LanguagesRun:
		s.state.servers = message.Names
		s.incoming.diagnosed(nil)
	case mail.TakeWords:
		said, foreign := s.queue.steering()
		c.Respond(turn.Words{News: s.state.jobNews(), Said: said, Foreign: foreign})
	case mail.JobRead:
		s.state.jobRead(message.Id)
	case alarms.Rung:
		s.incoming.rung(c, message)
	case *actor.Stopping:
		s.hooks.hush(call.ErrHooksLate)
		s.keeping.end(c)
		s.keeping.closeArtifacts(c)
	case *actor.Terminated:
		task.Obituary(c, message)
	case task.Gone:
		s.gone(c, message.Who)
	case turn.Overtime:
		s.lending.overtime(c.Sender(), s.Config.Now())
	}
	s.lending.lend(c, len(s.questions.asks) > 0, s.Config.Now)
	if !s.branches.moving && len(s.models.choosing) == 0 { // else it is on its way to another state
		s.keeping.noteState(c)
	}
}

func (s *session) open(c actor.Context) {
	begin := &s.state.conversation
	if begin.Undo == nil {
		s.keeping.files()
	}
	if begin.Artifacts == nil {
		s.keeping.artifacts()
	}
	defer s.branches.complete(c)
	if s.state.seq == 0 {
		s.approval.loudly(c)
		s.tell(messages.Opened{
			Profile: begin.Profile, Provider: begin.Choice.Provider, Model: begin.Choice.Model,
			Dir: begin.Dir, Coding: begin.Policy.Coding, Approval: begin.Policy.Told(), Effort: string(begin.Effort),
		})
		s.keeping.recalled(c, true)
		if !nothing(s.state.usage) { // of a resumed conversation
			s.tell(messages.UsageChanged{Usage: s.state.usage})
		}
		s.hooks.opens(c)
		return
	}
	// A restart: the turn that was under way is lost, the transcript is not.
	s.tell(messages.Notice{Level: messages.Problem, Text: "An internal error ended the running turn. The conversation before it is intact; the details are in the log (marvin log)."})
	if s.state.running != "" {
		s.tell(messages.TurnEnded{Outcome: messages.Failed, Text: s.state.said.String(), Usage: s.state.usage, Err: "internal error"})
		s.state.running = ""
	}
	if s.state.clearing {
		s.cleared(c)
	}
	if s.state.quitting {
		c.Stop(c.Self())
		return
	}
	s.next(c)
}

func (s *session) op(c actor.Context, op messages.Op) {
	switch op := op.(type) {
	case messages.Request:
		s.request = &op.ID
		s.op(c, op.Op)
		s.request = nil
	case messages.Prompt:
		op.Steer = op.Steer && op.Parts == nil && len(op.Pictures) == 0 // they belong to a turn of their own
		s.queue.add(waiting{Prompt: op, request: s.requestID()})
		if op.Steer { // heard before the next request; a turn that ends without another one leaves it to be asked as a prompt
			s.turn.send(c, turn.WordsWait{Due: true})
		}
		s.next(c)
	case messages.Cancel:
		s.cancel(c, op)
	case messages.Answer:
		s.questions.answer(c, op)
	case messages.Attend:
		s.questions.attend(c, op.Ask)
	case messages.ListGrants:
		s.questions.tellGrants()
	case messages.ShowContext, messages.ShowNeeds:
		s.lookups.context(c, op)
	case messages.ListSent:
		s.lookups.sent(c)
	case messages.Revoke:
		s.questions.revoke(op.Grant)
	case messages.SetDir:
		s.setDir(c, op.Path, true)
	case messages.SetMode:
		s.files.decided()
		s.setMode(op.Coding)
	case messages.SetApproval:
		s.approval.set(c, op.Mode)
	case messages.SetModel:
		s.models.set(c, op)
	case messages.SetProfile:
		s.setProfile(op.Name)
	case messages.Compact:
		s.compact(c, op.Focus)
	case messages.Undo:
		s.undoing.begin(c, op)
	case messages.TakeBack:
		s.undoing.part(c, op)
	case messages.ListChanges:
		s.undoing.changes(c)
	case messages.Clear:
		s.clear(c)
	case messages.Rename:
		s.titles.rename(c, op.Title)
	case messages.Resume, messages.Fork, messages.Branch, messages.Rewind:
		s.branches.op(c, op)
	case messages.ListTree:
		s.lookups.tree(c)
	case messages.Background:
		if !s.turn.send(c, op) {
			s.warned("Nothing is running that can move to the background.")
		}
	case messages.VisitAgent:
		if !s.turn.send(c, op) && !op.More {
			s.warned(call.NoSuchAgent)
		}
	case messages.ListArtifacts:
		s.lookups.artifacts(c)
	case messages.Label:
		s.branches.label(c, op)
	case messages.Aside:
		s.askBeside(c, op.Text, "/btw "+op.Text, false)
	case messages.Handoff:
		text, asked := handoffPrompt(op.Focus)
		s.askBeside(c, text, asked, true)
	case messages.Quit:
		s.quit(c)
	}
}
