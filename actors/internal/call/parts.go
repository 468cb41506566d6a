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

// The parts of a call. This file has the inputs of a call. The call's goroutine and sub-agents
// receive the same inputs.

// Services are the shared dependencies of calls.
type Services struct {
	Config   *conv.Setup
	Pools    *Pools
	Servers  mcpservers.Client
	Recorder *actor.PID
	Session  *actor.PID // the session of the conversation that makes the call
	OpenSession
	Jobs *actor.PID
}

// Situation is the state of the conversation at the beginning of a call.
type Situation struct {
	Tools        *toolbox.Registry // of the turn
	Conversation conv.LiveConversation
	Mode         tools.Mode
	Usage        messages.Usage
	Ends         time.Time          // the deadline of the turn; zero for none
	History      []messages.Message // of earlier turns
	Seen         *tools.Stamps
	Tainted      string         // the source of untrusted or private text in the conversation, or ""
	Typed        string         // the text of the prompt that the user typed
	Message      string         // a name for the prompt; each fact from the prompt is stored with it
	Personal     tools.Personal // private values in the system text
	Known        *tools.KnownHosts
	Room         int // the tokens that the result may take before the context budget warns
}

// move applies the changes of earlier calls.
func (s *Situation) move(moved callorder.Moved) {
	if moved.Dir != "" {
		s.Conversation.Dir = moved.Dir
		if moved.Chosen {
			s.Conversation.Root = moved.Dir
		}
	}
	s.Conversation.Profile = cmp.Or(moved.Profile, s.Conversation.Profile)
}
