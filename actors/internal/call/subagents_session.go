package call

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/tools"
)

// A sub-agent is a session, and a session makes turns, which make calls. So a call is given the
// function that makes the session of a sub-agent.

// OpenSession makes the state of the session of a sub-agent, and the producer of its actor.
type OpenSession func(SubWish) (SubSession, func() actor.Actor)

// SubWish says how the session of a sub-agent begins.
type SubWish struct {
	Conversation conv.Running
	Listener     conv.Audience
	Tainted      string // what brought words of strangers or what is private into its task
	Known        *tools.KnownHosts
	Seen         *tools.Stamps
}

// SubSession is what a call asks of the session of a sub-agent once that ended.
type SubSession interface {
	Tainted() string  // what first brought words of strangers or what is private, "" if nothing did
	Places() []string // that its words are from
	Said() string     // by its last answer
}
