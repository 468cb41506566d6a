package actors

import (
	"time"

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
	// providerLost says that a provider died, perhaps without an answer.
	providerLost struct {
		who    *actor.PID
		reason error
	}
	// patienceEnded says that cancelled calls had their time to report.
	patienceEnded struct{ round int }
)

type (
	// wantProvider asks for the actor of another model; the answer is useProvider.
	// One that stays is asked in the next turns too; one beside is asked for a summary alone.
	wantProvider struct {
		choice        Choice
		stays, beside bool
	}
	useProvider struct {
		choice Choice
		pid    *actor.PID
	}
	// overtime says that the turn used up its time.
	overtime struct{}
)

// lent is how long a turn waited for people: until its time was over, and in all.
type lent struct{ before, all time.Duration }

// turnEnded is a router's one report: what to commit, and how it ended.
type turnEnded struct {
	turn     string
	event    messages.TurnEnded
	messages []messages.Message
	whole    bool // messages are the whole conversation, which was compacted
	tainted  string
	words    []string // of hooks, which the model does not know of yet
	frame    prompt.Frame
	offered  []providers.ToolSpec
	bound    []string       // directories that only some providers may see
	compact  bool           // a compaction was asked for and did not happen yet
	undo     *messages.Undo // what to undo now
	kept     bool           // the recorder writes the turn down and says turnWritten
}
