package call

import (
	"cmp"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/callorder"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/mcpservers"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// This file declares the inputs of a call.

// Services are the shared dependencies of calls.
type Services struct {
	Config   *conv.Setup
	Pools    *Pools
	Servers  mcpservers.Client
	Recorder *actor.PID
	Session  *actor.PID // the session to which the calls belong
	OpenSession
	Jobs *actor.PID
}

// Situation is the state of the conversation at the beginning of a call.
type Situation struct {
	Tools        *toolbox.Registry // the turn's tools
	Conversation conv.LiveConversation
	Mode         tools.Mode
	Usage        messages.Usage
	Ends         time.Time          // the deadline of the turn; zero for none
	History      []messages.Message // the messages of earlier turns
	Seen         *tools.Stamps
	Tainted      string         // the source of untrusted or private text in the conversation, or ""
	Typed        string         // the part of the prompt that the user typed
	Message      string         // names the prompt, as "conversation ID/3"
	Personal     tools.Personal // private values in the system text
	Known        *tools.KnownHosts
	Room         int // the maximum size of the result, in tokens
}

// move applies the changes that earlier calls made.
func (s *Situation) move(moved callorder.Moved) {
	if moved.Dir != "" {
		s.Conversation.Dir = moved.Dir
		if moved.Chosen {
			s.Conversation.Root = moved.Dir
		}
	}
	s.Conversation.Profile = cmp.Or(moved.Profile, s.Conversation.Profile)
}
