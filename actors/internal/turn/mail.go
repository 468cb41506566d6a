package turn

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/providers"
)

// Messages to a turn.
type (
	CancelTurn struct{}
	// CompactTurn wants the conversation summarized before the model is asked again.
	CompactTurn struct{ Focus string }
	// newsLate ends the wait for the messages of topics.
	newsLate struct{}
	// ProviderLost says that a provider died, perhaps without an answer.
	ProviderLost struct {
		Who    *actor.PID
		Reason error
	}
	// patienceEnded says that cancelled calls had their time to report.
	patienceEnded struct{ round int }
)

type (
	// WantProvider asks for the actor of another model; the answer is useProvider.
	// One that stays is asked in the next turns too; one beside is asked for a summary alone.
	WantProvider struct {
		Choice        conv.Choice
		Stays, Beside bool
	}
	UseProvider struct {
		Choice conv.Choice
		Pid    *actor.PID
	}
	// TimeUp says that the turn used up its time.
	TimeUp struct{}
)

// ClockPaused is how long a turn waited for people: until its time was over, and in all.
type ClockPaused struct{ Before, All time.Duration }

// Ended is a turn's one report: what to commit, and how it ended.
type Ended struct {
	Turn     string
	Event    messages.TurnEnded
	Messages []messages.Message
	Whole    bool // messages are the whole conversation, which was compacted
	Erased   int  // number of forgotten texts that are no longer in the conversation
	Tainted  string
	Words    []string // of hooks, which the model does not know of yet
	Frame    prompt.Frame
	Offered  []providers.ToolSpec
	Bound    []string       // directories that only some providers may see
	Compact  bool           // a compaction was asked for and did not happen yet
	Undo     *messages.Undo // what to undo now
	Kept     bool           // the recorder writes the turn down and says turnWritten
}
