package ladder

// Fault is the way in which a request failed.
type Fault uint8

// The ways in which a request can fail.
const (
	Refused     Fault = iota // every failure that is not listed below, such as a wrong key
	Overflow                 // the conversation does not fit the context window
	Interrupted              // the answer broke off, and the same model can continue it
	Silent                   // the model sent nothing for too long
	Endless                  // the answer did not end
	Withheld                 // a rule forbids sending this text to the model
)

// State is the input to [Decide].
type State struct {
	Fault   Fault
	Words   bool // the user has seen a part of the answer
	Joined  bool // the rest of this answer has already been requested
	Shorter bool // the turn has already tried to compact the conversation
	Larger  bool // the same provider has a model with a larger context window
	Next    bool // the turn can try another model
}

// Step is a turn's action after a failure. Each step changes the turn's [State], so that the turn
// does not repeat the step.
type Step uint8

// The possible steps.
const (
	Say     Step = iota // tell the user about the failure, and end the turn
	Grow                // send the same messages to a model with a larger context window
	Compact             // make the conversation shorter, and ask again
	GoOn                // ask the same model for the rest of its answer
	Other               // ask another model
)

func (s Step) String() string { return [...]string{"say", "grow", "compact", "go on", "other"}[s] }

// Decide returns the next step after a failure. An endless answer ends the turn, because a request
// to another model would contain all of that answer. After an overflow, other providers come last,
// because their windows may be just as small.
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
