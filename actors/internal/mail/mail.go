package mail

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/tools"
)

// AskUser asks the user for consent; the answer is sent to the asker as an Answered message.
type AskUser struct {
	Call, Tool    string
	Title, Detail string
	Position, Of  int    // position of the call in its reply, from 1; 0 for none
	Diff          bool   // the detail ends with a unified diff of the change
	More          string // more text, which the user may read before answering
	Firm          bool   // only a yes to this call counts, not an earlier permission
	Scope         tools.Scope
	Always        string         // what the answer Always would permit; "" if that answer is not offered
	Held          bool           // the answer Always would permit only calls in the sandbox
	NoSandbox     string         // why there is no sandbox; if set, the missing sandbox is the reason to ask
	Host          string         // the host that would receive data; the answer Always then permits this host
	Only          bool           // sending data to Host is the only reason for the question
	Inquiry       *tools.Inquiry // the question, if it is not about consent
}

type (
	Answered struct {
		Ask    string // the id of the question
		Choice messages.Choice
		Text   string      // what the model should do instead, if the user said no
		Person bool        // the user decided about this very call
		Reply  tools.Reply // the answer to an inquiry; the other fields are then unused
	}
	// Retract withdraws a question whose call has ended.
	Retract struct{ Ask string }
	// NoWindowOpen says that no window shows the conversation.
	NoWindowOpen struct{}
)

// Approve sets the approval mode for later calls.
type Approve struct{ Mode messages.Approval }

// SayOnce is a notice that the user gets only once in all conversations.
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
	// JobEnded comes once for each job. Usage is the cost of a review; usage.json already contains
	// it.
	JobEnded struct {
		Job   tools.Job
		Usage messages.Usage
		Read  bool // the model already knows the end
		// The field Late is text for the user and the model, such as the findings of a slow
		// language server. If this field is set, no job has ended, and Job is empty.
		Late  string
		Warns bool // the text is a warning
	}
	// Diagnosed contains the problems that language servers now report for files.
	Diagnosed struct{ Files []messages.FileProblems }
	// JobRead says that a tool has shown the model how a job ended.
	JobRead struct{ Id string }
	// TakePending asks the session for the messages that wait for the model. The session sends
	// these messages to the turn as Words.
	TakePending struct{ Session *actor.PID }
)

// RelayedDecision passes a decision to a sub-agent's session.
type RelayedDecision struct {
	Answer messages.Answer
	Person bool
	Reply  tools.Reply // to an inquiry
}
