package call

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/tools"
)

// A sub-agent is a session. Package session already imports this package through package turn. To
// avoid an import cycle, each call is given an OpenSession function.

// OpenSession returns the state of a new sub-agent session and a function that makes the session's
// actor.
type OpenSession func(SubWish) (SubSession, func() actor.Actor)

// SubWish describes the session that a new sub-agent needs.
type SubWish struct {
	Conversation conv.LiveConversation
	Listener     conv.Audience
	Tainted      string // the source of untrusted or private text in the task, or ""
	Known        *tools.KnownHosts
	Seen         *tools.Stamps
}

// SubSession lets a call read the state of a sub-agent's session.
type SubSession interface {
	Tainted() string  // the first source of untrusted or private text, or ""
	Places() []string // the paths that the conversation's text could come from
	Said() string     // the text of the last answer
}
