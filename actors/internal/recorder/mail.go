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
	// Logged contains new records of a turn.
	Logged struct {
		Log     *sessionlog.Log
		Records []sessionlog.Record
		Written chan<- struct{} // if not nil, receives a value after the write, even if writing failed
	}
	// LogEnded closes a log after all earlier records have been written.
	LogEnded struct{ Log *sessionlog.Log }
)

// ArtifactsEnded makes the recorder delete artifacts.
type ArtifactsEnded struct{ Artifacts *artifacts.Store }

// Messages to the recorder, and its answers. The recorder answers Flush with Flushed when
// everything sent before Flush has been written.
type (
	// CallRecord records the end of a call. If the call ran, the goroutine of the call has already
	// recorded the beginning with [CallBegun].
	CallRecord struct {
		Call    audit.Call
		Counted string // the name under which the call is counted
	}
	Spent struct {
		Choice conv.Choice
		Usage  providers.Usage
		Cost   float64
		// Corrects reports whether Spent corrects an estimate that was charged earlier.
		Corrects bool
	}
	// PromptRecord stores the prompt of a turn. The recorder then sends [PromptStored] to Router.
	PromptRecord struct {
		Turn         TurnName
		Conversation conv.LiveConversation
		Prompt       string
		Began        sessionlog.Record // ignored if the conversation is not stored
		Router       *actor.PID
	}
	PromptStored struct{ Late bool }
	// TextRecord adds text to the answer of a running turn.
	TextRecord struct {
		Turn TurnName
		Text string // new text for the profile's history
		Own  string // new text for the conversation's log
	}
	TurnRecord struct {
		Turn           TurnName
		Conversation   conv.LiveConversation
		Prompt, Answer string
		Records        []sessionlog.Record // for the conversation's log, if there is one
		Session        *actor.PID          // receives TurnWritten, even if writing failed
	}
	TurnWritten struct{ Turn string }
	// AuditRemark adds an audit log entry without counting a tool call.
	AuditRemark struct{ Entry audit.Call }
	// WriteFailed reports that another part of Marvin failed to write.
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

// TurnName identifies a turn in this process.
type TurnName struct{ Session, Turn string }
