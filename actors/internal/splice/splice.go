// Package splice joins a continuation to an answer that broke off, so that the
// reader sees one whole answer with nothing twice.
package splice

import (
	"strings"
	"unicode/utf8"
)

// Joint forwards a continuation without repeated text: the last words of the answer before it, or
// all of it. Models are asked to continue exactly where they stopped, and often back up a little.
type Joint struct {
	before  string
	held    string // the beginning of the continuation, until it is clear what repeats
	matched int    // how much of before was repeated from its beginning
	state   state
	apart   bool // what does not repeat is another answer
}

type state uint8

const (
	undecided state = iota
	retelling
	passing
)

const (
	// window is how much of a continuation is held back to be compared.
	window = 240
	// shortest is the least overlap that counts; less may be chance.
	shortest = 8
	// opening is how much of the beginning must be the same to call it a retelling.
	opening = 40
	// shortestAnswer is the shortest answer that counts as repeated.
	shortestAnswer = 4
)

// New makes a joint behind an answer.
func New(before string) *Joint { return &Joint{before: before} }

// NewApart makes a joint after an answer that starts over. If the new one differs, a blank line
// separates the two.
func NewApart(before string) *Joint { return &Joint{before: before, apart: true} }

// Pass takes the next piece of the continuation and returns what is new of it.
func (j *Joint) Pass(chunk string) string {
	switch j.state {
	case passing:
		return chunk
	case retelling:
		return j.retell(chunk)
	}
	j.held += chunk
	if len(j.held) < window {
		return ""
	}
	return j.decide()
}

// End returns what was held back when the continuation is over.
func (j *Joint) End() string {
	if j.state != undecided {
		return ""
	}
	return j.decide()
}

func (j *Joint) decide() string {
	held := j.held
	j.held = ""
	same := 0
	for same < min(len(j.before), len(held)) && j.before[same] == held[same] {
		same++
	}
	if same >= opening || same >= shortestAnswer && same == len(j.before) {
		j.state = retelling
		return j.retell(held)
	}
	j.state = passing
	repeated := overlap(j.before, held)
	if j.apart && repeated == 0 && held != "" {
		return "\n\n" + held
	}
	return held[repeated:]
}

// retell drops what is the same as before. Where the retelling takes another turn
// the rest is new.
func (j *Joint) retell(chunk string) string {
	rest := j.before[j.matched:]
	same := 0
	for same < len(chunk) && same < len(rest) && chunk[same] == rest[same] {
		same++
	}
	j.matched += same
	if same == len(chunk) && same < len(rest) {
		return ""
	}
	j.state = passing
	if told := j.before[:j.matched]; j.apart && same < len(rest) {
		return "\n\n" + told[strings.LastIndexAny(told, " \n")+1:] + chunk[same:] // from the beginning of the word
	}
	for same > 0 && same < len(chunk) && !utf8.RuneStart(chunk[same]) {
		same--
	}
	return chunk[same:]
}

// overlap is the length of the longest end of before that text begins with.
func overlap(before, text string) int {
	for n := min(len(before), len(text)); n >= shortest; n-- {
		if strings.HasSuffix(before, text[:n]) && (n == len(text) || utf8.RuneStart(text[n])) {
			return n
		}
	}
	return 0
}
