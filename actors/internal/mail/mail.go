package mail

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/tools"
)

// AskUser asks the user for consent, or puts the question of a tool to the user. The sender gets an
// Answered message.
type AskUser struct {
	Call, Tool    string
	Title, Detail string
	Position, Of  int    // the call's position in the reply, from 1, and the number of calls; or 0
	Diff          bool   // the detail ends with a unified diff of the change
	More          string // more text, which the user may read before answering
	Firm          bool   // the user must approve this very call; an earlier permission does not count
	Scope         tools.Scope
	Always        string         // the permission that Always would give; "" if Always is not offered
	Held          bool           // Always would permit only calls in the sandbox
	NoSandbox     string         // why there is no sandbox, if that is the reason for the question
	Host          string         // the host that would receive data; Always would permit this host
	Only          bool           // sending data to Host is the only reason for the question
	Inquiry       *tools.Inquiry // the question, if it is not about consent
}

type (
	Answered struct {
		Ask    string // the id of the question
		Choice messages.Choice
		Text   string      // what the model should do instead, if the user said no
		Person bool        // the user decided about this very call
		Reply  tools.Reply // the answer to an inquiry; only Ask and Reply are then set
	}
	// Retract withdraws a question whose call has ended.
	Retract struct{ Ask string }
	// NoWindowOpen says that no window shows the conversation.
	NoWindowOpen struct{}
)

// Approve sets the approval mode for later calls.
type Approve struct{ Mode messages.Approval }

// SayOnce shows a notice to the user unless an earlier conversation has shown it.
type SayOnce struct {
	About  string
	Notice messages.Notice
}

// SaidBefore says that the user has already seen the notice.
type SaidBefore struct{}

// RequestSent reports an answered request that is not part of the conversation.
type RequestSent struct{ Sent sessionlog.Sent }

type (
	// DirChanged says that a tool moved the working directory.
	DirChanged struct {
		Path   string
		Chosen bool // the user chose the directory, so it also becomes the root of the sandbox
	}
	// ProfileChanged says that a tool switched the profile.
	ProfileChanged struct{ Name string }
	// JobEnded is sent once for each job. Usage is what a review cost; usage.json already includes
	// it.
	JobEnded struct {
		Job   tools.Job
		Usage messages.Usage
		Read  bool // the model already knows that the job has ended
		// Late is a message for the user and the model, such as the findings of a slow language
		// server. If Late is set, no job has ended and Job is empty.
		Late  string
		Warns bool // Late is a warning
	}
	// Diagnosed contains the problems that language servers now report for files.
	Diagnosed struct{ Files []messages.FileProblems }
	// JobRead says that a tool has shown the model how a job ended.
	JobRead struct{ Id string }
	// TakePending asks the session for the messages that the model has not seen yet. The session
	// sends them to the turn as Words.
	TakePending struct{ Session *actor.PID }
)

// RelayedDecision passes a decision to a sub-agent's session.
type RelayedDecision struct {
	Answer messages.Answer
	Person bool
	Reply  tools.Reply // the answer to an inquiry
}
