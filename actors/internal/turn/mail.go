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
	// CompactTurn requests a summary of the conversation. The turn summarizes before its next
	// request.
	CompactTurn struct{ Focus string }
	// newsLate ends the wait for ntfy messages.
	newsLate struct{}
	// ProviderLost reports that a provider's actor died.
	ProviderLost struct {
		Who    *actor.PID
		Reason error
	}
	// patienceEnded reports that Tuning.CancelGrace has passed since a cancellation.
	patienceEnded struct{ round int }
)

type (
	// WantProvider asks for the provider actor of a model; the reply is [UseProvider]. If Stays is
	// true, Choice becomes the conversation's model. If Beside is true, the model only writes a
	// summary.
	WantProvider struct {
		Choice        conv.Choice
		Stays, Beside bool
	}
	UseProvider struct {
		Choice conv.Choice
		Pid    *actor.PID
	}
	// TimeUp reports that the turn has reached its time limit.
	TimeUp struct{}
)

// ClockPaused reports how long a turn has waited for the user: in total (All), and before the turn
// reached its time limit (Before).
type ClockPaused struct{ Before, All time.Duration }

// Ended is the final report of a turn.
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
	Bound    []string       // private directories that contributed text to the conversation
	Compact  bool           // a compaction was requested and has not happened yet
	Undo     *messages.Undo // what to undo after this turn
	Kept     bool           // the recorder writes the turn and then sends TurnWritten
}
