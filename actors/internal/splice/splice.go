// Package splice joins a continuation to an interrupted answer, so that the reader sees one whole
// answer without repetitions.
package splice

import (
	"strings"
	"unicode/utf8"
)

// Joint joins a continuation to an interrupted answer. A model that is asked to continue where it
// stopped often repeats the last words of the answer, or the whole answer. Joint removes the
// repetition.
type Joint struct {
	before  string
	held    string // the continuation so far, while the state is undecided
	matched int    // the number of answer bytes repeated so far
	state   state
	apart   bool // see NewApart
}

type state uint8

const (
	undecided state = iota
	retelling
	passing
)

const (
	// window is the number of bytes that Pass collects before it looks for a repetition.
	window = 240
	// The minimum length of an overlap, in bytes. A shorter overlap may be a coincidence.
	shortest = 8
	// minRepeatedStart is the minimum length, in bytes, of a common prefix that counts as a
	// repetition.
	minRepeatedStart = 40
	// shortestAnswer is the minimum length of an answer that is recognized as repeated.
	shortestAnswer = 4
)

// New makes a Joint for the continuation of an interrupted answer.
func New(before string) *Joint { return &Joint{before: before} }

// NewApart makes a Joint for a model that answers again from the start. If the new answer differs
// from the old one, a blank line separates the two.
func NewApart(before string) *Joint { return &Joint{before: before, apart: true} }

// Pass takes the next piece of the continuation, and returns the new text that can be shown now.
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

// End ends the continuation, and returns the text that was held back.
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
	if same >= minRepeatedStart || same >= shortestAnswer && same == len(j.before) {
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

// retell removes the repeated part of the answer from the beginning of the chunk.
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
		return "\n\n" + told[strings.LastIndexAny(told, " \n")+1:] + chunk[same:] // the new text starts with the whole word that contains the first difference
	}
	for same > 0 && same < len(chunk) && !utf8.RuneStart(chunk[same]) {
		same--
	}
	return chunk[same:]
}

// overlap returns the largest n >= shortest such that answer ends with continuation[:n], or 0 if
// there is no such n.
func overlap(answer, continuation string) int {
	for n := min(len(answer), len(continuation)); n >= shortest; n-- {
		if strings.HasSuffix(answer, continuation[:n]) && (n == len(continuation) || utf8.RuneStart(continuation[n])) {
			return n
		}
	}
	return 0
}
