package budget

import "fmt"

// Limits holds the thresholds for the size of a request in tokens; 0 means the default. The size
// includes the system text and the tools.
type Limits struct {
	Warn    int  // at this size, the model is warned and can no longer read files; default 180,000
	Compact int  // at this size, older messages are summarized; default 200,000
	Refuse  int  // requests of this size or more are not sent; default 226,000
	Manual  bool // disables automatic compaction
}

// These percentages of the context window are upper bounds for the fields of [Limits]. The rest of
// the window, beyond refuseShare, is reserved for the answer.
const (
	warnShare    = 70
	compactShare = 78
	refuseShare  = 88
)

// Within replaces missing limits with the defaults, and lowers the limits to fit the context
// window. A window of 0 means that the size is unknown.
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

// State is the input of [Limits.Decide]. It does not contain the mode, so the limits are the same
// in all modes.
type State struct {
	Tokens  int  // the size of the request that is about to be sent
	Tried   int  // Tokens after the turn's last attempt to compact; 0 if there was no attempt
	Starved bool // whether each call in the last round had less room than [MinOutputTokens]
	Asked   bool // the user asked for a compaction
}

// Verdict says what to do with a request.
type Verdict uint8

// The verdicts.
const (
	Proceed Verdict = iota
	Warn            // the request is sent, and tool results contain [Limits.Warning]
	Compact         // compact first, then decide again
	Refuse          // the request is not sent; [Limits.Refusal] gives the reason
)

func (v Verdict) String() string { return [...]string{"proceed", "warn", "compact", "refuse"}[v] }

// A conversation must grow by Compact/retryDivisor tokens between two attempts to shrink it.
// Otherwise every round would repeat an attempt that did not help.
const retryDivisor = 20

// Decide decides what to do with a request. The limits must come from [Limits.Within].
func (l Limits) Decide(s State) Verdict {
	fresh := s.Tried == 0 || s.Tokens >= s.Tried+l.Compact/retryDivisor
	switch {
	case s.Asked:
		return Compact
	case !l.Manual && fresh && s.Tokens >= l.Compact:
		return Compact
	case !l.Manual && fresh && s.Starved && s.Tokens >= l.Warn:
		// Above l.Warn, tools refuse to read files, so the conversation might never reach l.Compact.
		return Compact
	case s.Tokens >= l.Refuse:
		return Refuse
	case s.Tokens >= l.Warn:
		return Warn
	}
	return Proceed
}

// MinOutputTokens is the number of free tokens below which a tool refuses to read a file.
const MinOutputTokens = 500

// Room returns the number of tokens that each call can add before the size reaches [Limits.Warn].
func (l Limits) Room(tokens, calls int) int {
	return max(l.Warn-tokens, 0) / max(calls, 1)
}

// Crowded reports whether old results should be removed to make room for the calls of a round. If
// so, Crowded also returns the target size in tokens. If an attempt at failedAt tokens removed
// nothing, the conversation must first grow.
func (l Limits) Crowded(tokens, failedAt, calls int) (least int, crowded bool) {
	if l.Manual || l.Room(tokens, calls) >= MinOutputTokens || failedAt > 0 && tokens < failedAt+l.Compact/retryDivisor {
		return 0, false
	}
	return l.Warn - 2*MinOutputTokens*calls, true
}

// Warning returns the text that is added to every tool result while the verdict is [Warn].
func (l Limits) Warning(tokens int) string {
	next := fmt.Sprintf("At %d, older messages are summarized.", l.Compact)
	if l.Manual {
		next = fmt.Sprintf("At %d, nothing more can be sent.", l.Refuse)
	}
	return fmt.Sprintf("\n\n[Context budget: about %d of %d tokens are used. %s Read only what is needed and finish what you began.]", tokens, l.Refuse, next)
}

// Refusal returns the text that tells the user why a request is not sent.
func (l Limits) Refusal(tokens int) string {
	return fmt.Sprintf("the conversation has about %d tokens, more than the limit of %d; start a new one, or send less at a time", tokens, l.Refuse)
}
