package ladder

// Fault is how a request failed.
type Fault uint8

// The faults. Broke is one between a server and its answer, so that the same model can go
// on from what it said; Beyond is an answer that never ends; Bound is that the words may not
// go to that provider, which no other of the same list changes by itself.
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

// Decide says what follows a failure. An answer that has no end is not asked for again: the
// next model would be told all of it. A window that is too small is a question of the
// provider's models first, then of the conversation, and only then of other providers,
// whose windows may be as small.
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
