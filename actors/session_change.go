package actors

import (
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/tools/hooks"
)

// What a person changes about a conversation between two turns. A turn that is under
// way goes on as it began.

// setProfile makes another profile the one of the conversation. Nothing that the
// person before allowed is allowed to the next one.
func (s *session) setProfile(name string) {
	if name == s.state.conversation.Profile {
		return
	}
	s.state.conversation.Profile, s.state.conversation.Fresh = name, false
	s.forgetGrants()
	s.modeChanged()
}

// rename changes what the conversation is called among those that are kept.
func (s *session) rename(c actor.Context, title string) {
	title = strings.Join(strings.Fields(title), " ")
	kept := s.state.conversation.Kept
	switch {
	case title == "":
		s.refuse("a title says something")
		return
	case kept == nil:
		const why = "This conversation is not kept, so that there is no list in which a title would stand."
		s.tell(messages.Notice{Level: messages.Warning, Text: why})
		s.refuse(why)
		return
	}
	kept.named = true
	c.Send(s.recorder, logged{log: kept.log, records: []sessionlog.Record{sessionlog.Titled(title)}})
	s.tell(messages.Notice{Level: messages.Info, Text: "This conversation is called: " + title})
}

// compact summarises the conversation: within the running turn, or in one of its own.
func (s *session) compact(c actor.Context, focus string) {
	if s.router != nil {
		c.Send(s.router, compactTurn{focus: focus})
		return
	}
	s.compacts, s.state.focus = true, focus
	s.next(c)
}

// compactNow runs a turn that asks nothing: it is busy, can be cancelled and fails
// like any other.
func (s *session) compactNow(c actor.Context) {
	s.compacts = false
	if len(s.state.committed) == 0 {
		s.tell(messages.Notice{Level: messages.Info, Text: "There is nothing to compact yet: this conversation has just begun."})
		s.next(c)
		return
	}
	s.begin(messages.TurnStarted{Prompt: "/compact", Request: s.requestID()})
	s.spawn(c, brief{compact: true, focus: s.state.focus, conversation: s.state.conversation})
}

// clear begins a new conversation, at once if idle, else when the running turn was
// cancelled.
func (s *session) clear(c actor.Context) {
	if s.moving {
		s.warned(s.cannotMove(s.state.conversation.Kept))
		return
	}
	s.compacts = false
	s.withdraw(func(waiting) bool { return true })
	if s.router != nil {
		s.clearing = true
		s.tell(messages.Notice{Level: messages.Info, Text: "The answer is stopped; a new conversation begins."})
		c.Send(s.router, cancelTurn{})
		return
	}
	s.cleared(c)
}

// cleared forgets the conversation. The chat log would bring it back as memory of an
// earlier one, so that is left out from now on.
func (s *session) cleared(c actor.Context) {
	s.clearing = false
	s.anew(c)
	s.tell(messages.Cleared{})
	s.greet(c, hooks.SessionClear)
}

// anew begins another conversation in the place of this one.
func (s *session) anew(c actor.Context) {
	s.compacts = false
	s.state.forget()
	s.state.conversation.Fresh, s.state.conversation.Policy.Seed = true, false
	s.closeArtifacts(c)
	if kept := s.state.conversation.Kept; kept != nil {
		c.Send(s.recorder, logEnded{log: kept.log})
		s.state.conversation.Kept = &Kept{log: kept.log.Next(), terminal: kept.terminal}
	}
	s.keepsFiles()
	s.keepsArtifacts()
	s.forgetGrants()
}

// What a session is told of what tools changed.
type (
	// dirChanged says that a tool moved the working directory.
	dirChanged struct {
		path   string
		chosen bool // by a person, so that the sandbox holds to it from now on
	}
	// profileChanged says that a tool switched the profile.
	profileChanged struct{ name string }
)

func (s *session) setDir(c actor.Context, path string, chosen bool) {
	s.state.conversation.Dir = path
	if chosen {
		s.state.conversation.Root, s.state.grants.homeless = path, false
	}
	s.modeChanged()
	s.adopt(c)
}

// modeChanged tells what holds from now on.
func (s *session) modeChanged() {
	now := s.state.conversation
	s.tell(messages.ModeChanged{Dir: now.Dir, Coding: now.Policy.Coding, Profile: now.Profile, Approval: now.Policy.told()})
}
