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

// The parts of a call. Its inputs are here and are passed on to its sub-agents and its goroutine;
// the others are: its place in the line (line.go), its run (time.go), hooks
// (hooks.go), consent (consent.go), questions to the user (inquiry.go), and what its result
// adds (brings.go).

// Services are whom a call works with.
type Services struct {
	Config   *conv.Setup
	Pools    *Pools
	Servers  mcpservers.Client
	Recorder *actor.PID
	Session  *actor.PID // whose conversation it is
	OpenSession
	Jobs *actor.PID
}

// Situation is the conversation as a call finds it.
type Situation struct {
	Tools        *toolbox.Registry // of the turn
	Conversation conv.Running
	Mode         tools.Mode
	Usage        messages.Usage
	Ends         time.Time          // when the time limit of the turn ends it; zero for none
	History      []messages.Message // of the turns before
	Seen         *tools.Stamps
	Tainted      string         // words of strangers or what is private are in the conversation, by this
	Typed        string         // by the user, of the prompt
	Message      string         // names the prompt
	Personal     tools.Personal // private values in the system text
	Known        *tools.KnownHosts
	Room         int // tokens that the result may take before the context budget warns
}

// move is where calls in front left the conversation.
func (s *Situation) move(moved callorder.Moved) {
	if moved.Dir != "" {
		s.Conversation.Dir = moved.Dir
		if moved.Chosen {
			s.Conversation.Root = moved.Dir
		}
	}
	s.Conversation.Profile = cmp.Or(moved.Profile, s.Conversation.Profile)
}
