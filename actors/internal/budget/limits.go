package budget

import "fmt"

// Limits are sizes of a question in tokens: system text, messages and tools. The
// zero value of each means the default.
type Limits struct {
	Warn    int  // from here the model is asked to be brief, and files are refused; 180,000
	Compact int  // from here on older messages are summarized; 200,000
	Refuse  int  // from here on nothing is sent; 226,000
	Manual  bool // compact only when a person asks for it
}

// The share of a model's window for requests, in percent, if it is smaller than the defaults
// assume. The rest is for the answer.
const (
	warnShare    = 70
	compactShare = 78
	refuseShare  = 88
)

// Within fills in the defaults and lowers what is more than a model with this window
// can take. 0 is a window that is not known.
func (l Limits) Within(window int) Limits {
	set := func(limit *int, value, share int) {
		if *limit <= 0 {
			*limit = value
		}
		if window > 0 {
			*limit = min(*limit, window*share/100)
		}
	}
	set(&l.Warn, 180_000, warnShare)
	set(&l.Compact, 200_000, compactShare)
	set(&l.Refuse, 226_000, refuseShare)
	l.Compact = min(l.Compact, l.Refuse)
	l.Warn = min(l.Warn, l.Compact)
	return l
}

// State is what a decision looks at. It does not know the mode: a limit that holds in
// one mode only would be found in the other by a user (field note 21).
type State struct {
	Tokens  int  // of the question that is about to be sent
	Tried   int  // Tokens after this turn's last attempt to compact, also a failed one; 0 if there was none
	Starved bool // a tool was refused for lack of room since the last decision
	Asked   bool // a person asked for a compaction
}

// Verdict is what to do with a question.
type Verdict uint8

// What can be decided.
const (
	Proceed Verdict = iota
	Warn            // send it, and add [Limits.Warning] to the results of tools
	Compact         // compact first, then decide again
	Refuse          // do not send it: [Limits.Refusal] says why
)

func (v Verdict) String() string { return [...]string{"proceed", "warn", "compact", "refuse"}[v] }

// again is by how much a conversation must have grown after an attempt before
// another one is made, as a part of Compact: one that did not help would otherwise be
// repeated in every round.
const again = 20

// Decide says what to do. Limits must come from [Limits.Within].
func (l Limits) Decide(s State) Verdict {
	fresh := s.Tried == 0 || s.Tokens >= s.Tried+l.Compact/again
	switch {
	case s.Asked:
		return Compact
	case !l.Manual && fresh && s.Tokens >= l.Compact:
		return Compact
	case !l.Manual && fresh && s.Starved && s.Tokens >= l.Warn:
		// Between Warn and Compact no file can be read, and a turn that needs one
		// would never grow to Compact.
		return Compact
	case s.Tokens >= l.Refuse:
		return Refuse
	case s.Tokens >= l.Warn:
		return Warn
	}
	return Proceed
}

// MinOutputTokens is with how little a tool that reads files gives up, in tokens.
const MinOutputTokens = 500

// Room is how many tokens each of so many calls may add before the warning, never
// less than 0. It is for [tools.Env.Room].
func (l Limits) Room(tokens, calls int) int {
	return max(l.Warn-tokens, 0) / max(calls, 1)
}

// Crowded reports whether this many reading calls would be refused for lack of room although old
// results may leave, and how small the conversation must become. After an unsuccessful attempt the
// conversation must grow enough to justify another.
func (l Limits) Crowded(tokens, vain, calls int) (least int, crowded bool) {
	if l.Manual || l.Room(tokens, calls) >= MinOutputTokens || vain > 0 && tokens < vain+l.Compact/again {
		return 0, false
	}
	return l.Warn - 2*MinOutputTokens*calls, true
}

// Warning goes behind every result of a tool while the verdict is [Warn].
func (l Limits) Warning(tokens int) string {
	next := fmt.Sprintf("At %d older messages are summarized.", l.Compact)
	if l.Manual {
		next = fmt.Sprintf("At %d nothing more can be sent.", l.Refuse)
	}
	return fmt.Sprintf("\n\n[Context budget: about %d of %d tokens are used. %s Read only what is needed and finish what is open.]", tokens, l.Refuse, next)
}

// Refusal tells a person why a question is not sent.
func (l Limits) Refusal(tokens int) string {
	return fmt.Sprintf("the conversation has about %d tokens, more than the limit of %d; start a new one, or send less at once", tokens, l.Refuse)
}
