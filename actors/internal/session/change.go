package session

import (
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/turn"
	"marvin/messages"
	"marvin/tools/hooks"
)

// receiveChange applies changes that a turn requests.
func (s *session) receiveChange(c actor.Context, message any) {
	switch message := message.(type) {
	case mail.DirChanged:
		s.setDir(c, message.Path, message.Chosen)
	case mail.ProfileChanged:
		s.setProfile(message.Name)
	case conv.Plan:
		if s.turn.beside == nil { // the turn is part of the conversation
			s.state.plan = message
			s.state.plans++
			s.tell(messages.PlanChanged{Plan: message.Is})
		}
	case conv.Trust:
		s.state.conversation.Trust = message
	}
}

func (s *session) opSetting(c actor.Context, op any) {
	switch op := op.(type) {
	case messages.SetDir:
		s.setDir(c, op.Path, true)
	case messages.SetMode:
		s.files.markSettled()
		s.setMode(op.Coding)
	case messages.SetApproval:
		s.approval.set(c, op.Mode)
	case messages.SetModel:
		s.models.set(c, op)
	case messages.SetProfile:
		s.setProfile(op.Name)
	}
}

// setProfile switches the profile and drops the permissions that the user gave under the old one.
func (s *session) setProfile(name string) {
	if name == s.state.conversation.Profile {
		return
	}
	s.state.conversation.Profile = name
	s.questions.forgetGrants()
	s.modeChanged()
}

// compact summarizes the conversation, either in the running turn or in a new turn.
func (s *session) compact(c actor.Context, focus string) {
	if s.turn.send(c, turn.CompactTurn{Focus: focus}) {
		return
	}
	s.state.compacts, s.state.focus = true, focus
	s.startNextTurn(c)
}

// compactNow runs a turn that only summarizes. During this turn the conversation is busy, and the
// user can cancel the turn like any other.
func (s *session) compactNow(c actor.Context) {
	s.state.compacts = false
	if len(s.state.committed) == 0 {
		s.tell(messages.Notice{Level: messages.Info, Text: "There is nothing to compact yet: this conversation has just started."})
		s.startNextTurn(c)
		return
	}
	s.begin(messages.TurnStarted{Prompt: strings.TrimSpace("/compact " + s.state.focus), Request: s.requestID()})
	s.spawn(c, turn.Input{Compact: true, Focus: s.state.focus, Conversation: s.state.conversation})
}

// clear begins a new conversation. If a turn is running, clear cancels it first.
func (s *session) clear(c actor.Context) {
	if s.branches.moving {
		s.warn(s.branches.cannotMove(s.state.conversation.Stored))
		return
	}
	s.state.compacts = false
	s.queue.withdraw(func(waitingPrompt) bool { return true })
	if s.turn.runs() {
		s.state.clearing = true
		s.tell(messages.Notice{Level: messages.Info, Text: "The answer was stopped; a new conversation begins."})
		s.turn.send(c, turn.CancelTurn{})
		return
	}
	s.finishClearing(c)
}

// finishClearing begins the new conversation, without the messages of the old one.
func (s *session) finishClearing(c actor.Context) {
	s.state.clearing = false
	s.startOver(c)
	s.tell(messages.Cleared{})
	s.hooks.greet(c, hooks.SessionClear)
}

func (s *session) startOver(c actor.Context) {
	s.state.compacts = false
	s.keeping.startOver(c)
	s.questions.forgetGrants()
}

// setDir sets the working directory. If the user chose the directory, it also becomes the root of
// the sandbox.
func (s *session) setDir(c actor.Context, path string, chosen bool) {
	s.state.conversation.Dir = path
	if chosen {
		s.state.conversation.Root, s.state.grants.homeless = path, false
	}
	s.modeChanged()
	s.incoming.adopt(c)
}
