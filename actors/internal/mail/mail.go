package mail

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/tools"
)

// AskUser wants a person's consent; the asker gets granted.
type AskUser struct {
	Call, Tool    string
	Title, Detail string
	Position, Of  int    // position of the call in its reply, from 1; 0 for none
	Diff          bool   // the detail ends with a unified diff of the change
	More          string // what the person may look at first
	Firm          bool   // only a person's yes to this very call will do
	Scope         tools.Scope
	Always        string         // what that choice would cover, in words; "" for none
	Held          bool           // what it covers would run in the sandbox
	NoSandbox     string         // why there is no sandbox, which the question is because of
	Host          string         // where data would leave to: then always is for this host
	Only          bool           // where data would go; then always is for this host
	Inquiry       *tools.Inquiry // what is asked instead of consent
}

type (
	Answered struct {
		Ask    string // the call, or a question of a sub-agent
		Choice messages.Choice
		Text   string      // with a no: what to do instead
		Person bool        // the user looked at this very call
		Reply  tools.Reply // to an inquiry, instead of all that
	}
	// Retract takes a question back whose call is over.
	Retract struct{ Ask string }
	// LeftAlone says that no user has a window on the conversation any more.
	LeftAlone struct{}
)

// Approve sets the approval mode for later calls.
type Approve struct{ Mode messages.Approval }

// SayOnce is a notice that the user gets once in all conversations.
type SayOnce struct {
	About  string
	Notice messages.Notice
}

// SaidBefore says that the user had a notice already.
type SaidBefore struct{}

// RequestSent is such a request, which was answered.
type RequestSent struct{ Sent sessionlog.Sent }

type (
	// DirChanged says that a tool moved the working directory.
	DirChanged struct {
		Path   string
		Chosen bool // by the user; the sandbox moves there
	}
	// ProfileChanged says that a tool switched the profile.
	ProfileChanged struct{ Name string }
	// JobEnded comes once for each job. The usage is what a review cost; it wrote that
	// into usage.json itself.
	JobEnded struct {
		Job   tools.Job
		Usage messages.Usage
		Read  bool // the model knows
		// Late replaces the job: a language server's finding after the call ended.
		Late  string
		Warns bool // it is a warning
	}
	// Diagnosed is what language servers say of files now.
	Diagnosed struct{ Files []messages.FileProblems }
	// JobRead says that the model read how a job ended, by a tool.
	JobRead struct{ Id string }
	// TakePending asks the session for it; words is what it hands over.
	TakePending struct{ Session *actor.PID }
)

// RelayedDecision is a decision on its way down to a sub-agent's session.
type RelayedDecision struct {
	Answer messages.Answer
	Person bool
	Reply  tools.Reply // to an inquiry
}
