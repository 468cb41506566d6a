package ladder

// Fault is the way in which a request failed.
type Fault uint8

// The faults. After Interrupted, the same model can continue its answer. Endless means that the
// answer did not end. Withheld means that no model of the provider may receive this text.
const (
	Refused  Fault = iota // the provider will refuse every request until the key, the name or the server is changed
	Overflow              // the conversation does not fit the context window
	Interrupted
	Silent
	Endless
	Withheld
)

// State is the input of a decision.
type State struct {
	Fault   Fault
	Words   bool // the user has seen text of this answer
	Joined  bool // the rest of this answer was already requested
	Shorter bool // the turn already compacted the conversation, or failed to
	Larger  bool // the same provider has a model with a larger context window
	Next    bool // a model is left that was not asked in this turn
}

// Step is what a turn does after a failure. A step that was taken changes the state, so that the
// same turn does not take it twice.
type Step uint8

// The steps, in the order in which they are preferred.
const (
	Say     Step = iota // tell the user about the failure, and end
	Grow                // ask the larger model with the same messages
	Compact             // make the conversation shorter, and ask again
	GoOn                // ask the same model for the rest of its answer
	Other               // ask another model
)

func (s Step) String() string { return [...]string{"say", "grow", "compact", "go on", "other"}[s] }

// Decide returns the next step after a failure. It does not ask another model after an endless
// answer, because the request would contain all of that answer. If the context window is too small,
// it first tries a larger model of the same provider, and then a shorter conversation. Other
// providers come last, because their windows may be just as small.
func Decide(s State) Step {
	switch {
	case s.Fault == Endless:
		return Say
	case s.Fault == Overflow && s.Larger:
		return Grow
	case s.Fault == Overflow && !s.Shorter:
		return Compact
	case s.Fault == Interrupted && s.Words && !s.Joined:
		return GoOn
	case s.Next:
		return Other
	}
	return Say
}
