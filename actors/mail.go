package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/tools"
)

// askUser wants a person's consent; the asker gets granted.
type askUser struct {
	call, tool    string
	title, detail string
	position, of  int    // position of the call in its reply, from 1; 0 for none
	diff          bool   // the detail ends with a unified diff of the change
	more          string // what the person may look at first
	firm          bool   // only a person's yes to this very call will do
	scope         tools.Scope
	always        string         // what that choice would cover, in words; "" for none
	held          bool           // what it covers would run in the sandbox
	noSandbox     string         // why there is no sandbox, which the question is because of
	host          string         // where data would leave to: then always is for this host
	only          bool           // where data would go; then always is for this host
	inquiry       *tools.Inquiry // what is asked instead of consent
}

type (
	granted struct {
		ask    string // the call, or a question of a sub-agent
		choice messages.Choice
		text   string      // with a no: what to do instead
		person bool        // the user looked at this very call
		reply  tools.Reply // to an inquiry, instead of all that
	}
	// retract takes a question back whose call is over.
	retract struct{ ask string }
)

// approve sets the approval mode for later calls.
type approve struct{ mode messages.Approval }

// sayOnce is a notice that the user gets once in all conversations.
type sayOnce struct {
	about  string
	notice messages.Notice
}

// saidBefore says that the user had a notice already.
type saidBefore struct{}

// departed is such a request, which was answered.
type departed struct{ sent sessionlog.Sent }

type (
	// dirChanged says that a tool moved the working directory.
	dirChanged struct {
		path   string
		chosen bool // by the user; the sandbox moves there
	}
	// profileChanged says that a tool switched the profile.
	profileChanged struct{ name string }
	// jobEnded comes once for each job. The usage is what a review cost; it wrote that
	// into usage.json itself.
	jobEnded struct {
		job   tools.Job
		usage messages.Usage
		read  bool // the model knows
		// late replaces the job: a language server's finding after the call ended.
		late string
	}
	// diagnosed is what language servers say of files now.
	diagnosed struct{ files []messages.FileProblems }
	// jobRead says that the model read how a job ended, by a tool.
	jobRead struct{ id string }
	// takeWords asks the session for it; words is what it hands over.
	takeWords struct{ session *actor.PID }
)

// relayed is a decision on its way down to a sub-agent's session.
type relayed struct {
	answer messages.Answer
	person bool
	reply  tools.Reply // to an inquiry
}
