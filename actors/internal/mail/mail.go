package mail

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/tools"
)

// AskUser asks the user for consent, or for the answer to a question from a tool. The sender gets
// an Answered message.
type AskUser struct {
	Call, Tool    string
	Title, Detail string
	// Position is the 1-based index of the call in the reply or the prompt, and Of is the number of
	// calls there. Both are 0 if the question is not about a call.
	Position, Of int
	Diff         bool   // the detail ends with a unified diff of the change
	More         string // further context, such as file contents or a diff
	Firm         bool   // the user must approve this very call; an earlier permission does not count
	Scope        tools.Scope
	Always       string         // what the choice "Always" permits; "" if "Always" is not offered
	Held         bool           // "Always" permits only calls that run in the sandbox
	NoSandbox    string         // why there is no sandbox; "" if the question has another reason
	Host         string         // the recipient of the call's data; "Always" permits this host
	Only         bool           // sending data to Host is the only reason for the question
	Inquiry      *tools.Inquiry // a tool's question to the user; nil in a question about consent
}

type (
	Answered struct {
		Ask    string // the id of the question
		Choice messages.Choice
		Text   string      // what the model should do instead, if the user said no
		Person bool        // the user answered this question
		Reply  tools.Reply // for an inquiry, only the fields Ask and Reply are set
	}
	// Retract withdraws a question whose call has ended.
	Retract struct{ Ask string }
	// NoWindowOpen says that no window shows the conversation.
	NoWindowOpen struct{}
)

// Approve sets the approval mode for later calls.
type Approve struct{ Mode messages.Approval }

// SayOnce shows a notice to the user once, across all conversations.
type SayOnce struct {
	About  string
	Notice messages.Notice
}

// SaidBefore reports that the user has already seen the notice.
type SaidBefore struct{}

// RequestSent reports an answered request that is not part of the conversation.
type RequestSent struct{ Sent sessionlog.Sent }

type (
	// DirChanged reports that a tool changed the working directory.
	DirChanged struct {
		Path   string
		Chosen bool // the user chose the directory, so it also becomes the root of the sandbox
	}
	// ProfileChanged says that a tool switched the profile.
	ProfileChanged struct{ Name string }
	// JobEnded reports the end of a job or contains a message in Late. The end of each job is reported
	// only once. Usage is the cost of a review; usage.json already includes this cost.
	JobEnded struct {
		Job   tools.Job
		Usage messages.Usage
		Read  bool // the model already knows that the job has ended
		// Late is a message for the user and the model, for example findings of a slow language
		// server. If Late is set, no job has ended and Job is empty.
		Late  string
		Warns bool // whether the text of Late is a warning
	}
	// Diagnosed contains the problems that language servers now report for files.
	Diagnosed struct{ Files []messages.FileProblems }
	// JobRead reports that a tool has shown the model how a job ended.
	JobRead struct{ Id string }
	// TakePending asks the session for its pending messages to the model. The reply is turn.Words.
	TakePending struct{ Session *actor.PID }
)

// RelayedDecision passes a decision to a sub-agent's session.
type RelayedDecision struct {
	Answer messages.Answer
	Person bool
	Reply  tools.Reply // the answer to an inquiry
}
