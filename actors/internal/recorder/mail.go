package recorder

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/sessionlog"
	"marvin/persistence/artifacts"
	"marvin/persistence/audit"
	"marvin/providers"
)

type (
	// Logged is what a turn said since.
	Logged struct {
		Log     *sessionlog.Log
		Records []sessionlog.Record
		Written chan<- struct{} // closed once they are on disk or have failed; may be nil
	}
	// LogEnded closes one, behind what was said.
	LogEnded struct{ Log *sessionlog.Log }
)

// ArtifactsEnded has the recorder remove artifacts.
type ArtifactsEnded struct{ Artifacts *artifacts.Store }

// Messages to the recorder. The sender of flush gets flushed when everything sent before it is
// written.
type (
	// CallRecord is a call that ended. That it began its own goroutine wrote down.
	CallRecord struct {
		Call    audit.Call
		Counted string // the name under which it is counted
	}
	Spent struct {
		Choice conv.Choice
		Usage  providers.Usage
		Cost   float64
		// Corrects says that the round trip was charged before, by estimate.
		Corrects bool
	}
	// PromptRecord is a prompt that is about to be sent; its turn gets promptKept.
	PromptRecord struct {
		Turn         TurnName
		Conversation conv.Running
		Prompt       string
		Began        sessionlog.Record // of the log of the conversation, if it has one
		Router       *actor.PID
	}
	PromptStored struct{ Late bool }
	// TextRecord is what an answer says since the last one.
	TextRecord struct {
		Turn TurnName
		Text string // for the history of the profile
		Own  string // for the log of the conversation
	}
	TurnRecord struct {
		Turn           TurnName
		Conversation   conv.Running
		Prompt, Answer string
		Records        []sessionlog.Record // of the log of the conversation, if it has one
		Session        *actor.PID          // gets turnWritten, also after a failure
	}
	TurnWritten struct{ Turn string }
	// AuditRemark is a line of the audit log that is no call, and is not counted as one.
	AuditRemark struct{ Entry audit.Call }
	// WriteFailed reports a failed write of another part.
	WriteFailed struct{ Err error }
	Flush       struct{}
	Flushed     struct{}

	wroteLines struct {
		batch    *lines
		problems []error
	}
	wroteDocuments struct {
		batch    *documents
		problems []error
	}
	chargeAgain struct{}
	mergeDue    struct{}
	merged      struct{ problems []error }
)

// TurnName is a turn of all that this process runs.
type TurnName struct{ Session, Turn string }
