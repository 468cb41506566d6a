package actors

import (
	"cmp"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/line"
	"marvin/messages"
	"marvin/tools"
)

// The parts of a call. Its inputs are here and are passed on to its sub-agents and its goroutine;
// the others are: its place in the line (worker_line.go), its run (worker_time.go), hooks
// (worker_hooks.go), consent (consent.go), questions to the user (inquiry.go), and what its result
// adds (worker_brings.go).

// services are whom a call works with.
type services struct {
	config   *setup
	pools    *pools
	servers  serverClient
	recorder *actor.PID
	session  *actor.PID // whose conversation it is
	openSession
	jobs *actor.PID
}

// situation is the conversation as a call finds it.
type situation struct {
	tools        *tools.Registry // of the turn
	conversation runningConversation
	mode         tools.Mode
	usage        messages.Usage
	ends         time.Time          // when the time limit of the turn ends it; zero for none
	history      []messages.Message // of the turns before
	seen         *tools.Stamps
	tainted      string         // words of strangers or what is private are in the conversation, by this
	typed        string         // by the user, of the prompt
	message      string         // names the prompt
	personal     tools.Personal // private values in the system text
	known        *tools.KnownHosts
	room         int // tokens that the result may take before the context budget warns
}

// move is where calls in front left the conversation.
func (s *situation) move(moved line.Moved) {
	if moved.Dir != "" {
		s.conversation.Dir = moved.Dir
		if moved.Chosen {
			s.conversation.Root = moved.Dir
		}
	}
	s.conversation.Profile = cmp.Or(moved.Profile, s.conversation.Profile)
}
