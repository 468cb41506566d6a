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
	// CompactTurn requests a summary of the conversation before the next request.
	CompactTurn struct{ Focus string }
	// newsLate ends the wait for ntfy messages.
	newsLate struct{}
	// ProviderLost says that a provider's actor died, perhaps before it answered.
	ProviderLost struct {
		Who    *actor.PID
		Reason error
	}
	// patienceEnded ends the wait for a cancelled turn's calls.
	patienceEnded struct{ round int }
)

type (
	// WantProvider requests the actor for a model; the reply is [UseProvider]. Stays makes Choice
	// the conversation's model. Beside means that the model only writes a summary.
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

// ClockPaused reports how long a turn has waited for the user: in total (All), and before the turn
// reached its time limit (Before).
type ClockPaused struct{ Before, All time.Duration }

// Ended is the turn's only report: what to commit, and how it ended.
type Ended struct {
	Turn     string
	Event    messages.TurnEnded
	Messages []messages.Message
	Whole    bool // the conversation was compacted, so Messages contains the whole conversation
	Erased   int  // number of forgotten facts already erased from the conversation
	Tainted  string
	Words    []string // hook output that the model has not read yet
	Frame    prompt.Frame
	Offered  []providers.ToolSpec
	Bound    []string       // directories that only some providers may see
	Compact  bool           // a compaction was requested and has not happened yet
	Undo     *messages.Undo // what to undo after this turn
	Kept     bool           // the recorder stores the turn and confirms it with TurnWritten
}
