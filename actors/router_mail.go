package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/providers"
)

// Messages to a router.
type (
	cancelTurn struct{}
	// compactTurn wants the conversation summarised before the model is asked again.
	compactTurn struct{ focus string }
	// newsLate ends the wait for the messages of topics.
	newsLate struct{}
	// overtime says that the turn used up its time.
	overtime struct{}
	// providerLost says that a provider died, perhaps without an answer.
	providerLost struct {
		who    *actor.PID
		reason error
	}
	// callEnded is a worker's one report.
	callEnded struct {
		position int
		event    messages.ToolEnded
		result   messages.ToolResult
		effect   effect
	}
	// prepared comes from the goroutine that reads the user's and the project's files, or
	// from the deadline of that reading.
	prepared struct {
		reading    int
		parts      prompt.Parts
		late       bool // parts are only those that no file says
		notices    []string
		trust      trust
		unapproved *unapproved          // files to ask the user about first
		found      *brought             // what was looked at; nil after the deadline
		specs      []providers.ToolSpec // of tools that come with the files
		others     []broughtFile        // those of them to ask about first
		brought    bool                 // files are used without a question
		bound      []string             // private directories that the working directory lies in under another name
	}
	// described comes from the goroutine that makes the schemas of the tools.
	described struct {
		specs    []providers.ToolSpec
		problems []string
		window   int // the window they were chosen for
	}
	// patienceEnded says that cancelled calls had their time to report.
	patienceEnded struct{ round int }
)
