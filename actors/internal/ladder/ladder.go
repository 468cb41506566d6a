package ladder

// Fault is how a request failed.
type Fault uint8

// The faults. Broke means that an answer was interrupted, so that the same model can continue it;
// Beyond is an endless answer; Bound means that the provider may not receive these words, which
// another model of the same provider does not change.
const (
	Refused  Fault = iota // for good: another key, another name, another server
	Overflow              // the conversation does not fit the window
	Broke
	Silent
	Beyond
	Bound
)

// State is what a decision looks at.
type State struct {
	Fault   Fault
	Words   bool // the person has seen words of this answer
	Joined  bool // and its rest was asked for already
	Shorter bool // the conversation was compacted in this turn, or that came to nothing
	Larger  bool // there is a model of the same provider with a larger window
	Next    bool // there is another model that was not asked in this turn
}

// Step is what is done next. Each makes the next state another one, so that a turn takes
// each rung once and then ends.
type Step uint8

// The steps, in the order in which they are preferred.
const (
	Say     Step = iota // that it failed, and end
	Grow                // ask the larger model, with the same words
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
