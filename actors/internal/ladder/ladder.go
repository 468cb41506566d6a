package ladder

// Fault is the way in which a request failed.
type Fault uint8

// The faults. Broke means that an answer was interrupted, so that the same model can continue it;
// Beyond is an endless answer; Bound means that the provider must not receive this text, so another
// model of the same provider does not help.
const (
	Refused  Fault = iota // permanently: it needs another key, name or server
	Overflow              // the conversation does not fit the context window
	Broke
	Silent
	Beyond
	Bound
)

// State is the input of a decision.
type State struct {
	Fault   Fault
	Words   bool // the user has seen text of this answer
	Joined  bool // the rest of this answer was already requested
	Shorter bool // the conversation was compacted in this turn, or that failed
	Larger  bool // the same provider has a model with a larger context window
	Next    bool // another model was not asked in this turn yet
}

// Step is the next step. Each step changes the state so that it is not chosen again in the same
// turn.
type Step uint8

// The steps, in the order in which they are preferred.
const (
	Say     Step = iota // tell the user about the failure, and end
	Grow                // ask the larger model with the same messages
	Compact             // make the conversation shorter, and ask again
	GoOn                // ask the same model for the rest of its answer
	Other               // ask the next model
)

func (s Step) String() string { return [...]string{"say", "grow", "compact", "go on", "other"}[s] }

// Decide returns the next step after a failure. An endless answer is not requested again: the next
// model would receive all of it. For a window that is too small, it tries the provider's other
// models first, then a shorter conversation, and then other providers, whose windows may be as
// small.
func Decide(s State) Step {
	switch {
	case s.Fault == Beyond:
		return Say
	case s.Fault == Overflow && s.Larger:
		return Grow
	case s.Fault == Overflow && !s.Shorter:
		return Compact
	case s.Fault == Broke && s.Words && !s.Joined:
		return GoOn
	case s.Next:
		return Other
	}
	return Say
}
