// Package loop notices when a model repeats itself.
//
// A round repeats an earlier round only if the calls, the arguments and the results are all equal.
// Polling a build or making similar edits does not count, because something differs each time. Slow
// rounds are allowed more repetitions, because the model probably waits for something.
package loop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"strings"
	"time"

	"marvin/messages"
)

const (
	longestCycle = 4
	warnAt       = 3 // number of identical cycles before a warning
	stopAt       = 6
	slowRound    = 2 * time.Second
	slowFactor   = 4 // multiplies warnAt and stopAt for slow rounds
	warnErrors   = 5 // number of consecutive failed rounds before a warning
	stopErrors   = 10
)

// Verdict is the result of [Guard.Round].
type Verdict struct {
	Warn string // a warning for the model, added to the last tool result
	Stop string // why the turn must end, or ""
}

// Guard watches the rounds of one turn. The zero value is ready for use.
type Guard struct {
	rounds []round
	count  int // the number of rounds so far
	warned int // the 1-based number of the last round that caused a repetition warning
	failed int // successive rounds without a successful call
}

type round struct {
	print uint64
	slow  bool
}

// Round records a round and its duration, and returns the verdict.
func (g *Guard) Round(calls []messages.ToolCall, results []messages.ToolResult, took time.Duration) Verdict {
	g.count++
	g.rounds = append(g.rounds, round{print: fingerprint(calls, results), slow: took >= slowRound})
	if len(g.rounds) > longestCycle*stopAt*slowFactor {
		g.rounds = g.rounds[1:]
	}
	if verdict := g.errors(results); verdict != (Verdict{}) {
		return verdict
	}
	for length := 1; length <= longestCycle; length++ {
		times, slow := g.countRepeats(length)
		factor := 1
		if slow {
			factor = slowFactor
		}
		switch {
		case times >= stopAt*factor:
			return Verdict{Stop: fmt.Sprintf("the model repeated the same %s with the same results %d times", steps(length), times)}
		case times >= warnAt*factor && g.count-g.warned >= length:
			g.warned = g.count
			return Verdict{Warn: fmt.Sprintf("[Marvin: you have now made the same %s %d times, with the same results. Repeating the call will not change the results: try another way, or say what is missing.]", steps(length), times)}
		}
	}
	return Verdict{}
}

func (g *Guard) errors(results []messages.ToolResult) Verdict {
	for _, result := range results {
		if result.Status == messages.OK {
			g.failed = 0
			return Verdict{}
		}
	}
	g.failed++
	switch g.failed {
	case warnErrors:
		return Verdict{Warn: fmt.Sprintf("[Marvin: every call of the last %d rounds failed. Read the errors again, try another way, or say what is missing.]", g.failed)}
	case stopErrors:
		return Verdict{Stop: fmt.Sprintf("every tool call of %d rounds in a row failed", g.failed)}
	}
	return Verdict{}
}

// countRepeats returns how many times in a row the last group of rounds occurred, and whether all
// matching rounds were slow. The length is the size of a group.
func (g *Guard) countRepeats(length int) (times int, slow bool) {
	n := len(g.rounds)
	if n < length {
		return 0, false
	}
	times, slow = 1, true
	for i := n - length; i < n; i++ {
		slow = slow && g.rounds[i].slow
	}
	for start := n - 2*length; start >= 0; start -= length {
		for i := range length {
			if g.rounds[start+i].print != g.rounds[n-length+i].print {
				return times, slow
			}
			slow = slow && g.rounds[start+i].slow
		}
		times++
	}
	return times, slow
}

func steps(length int) string {
	if length == 1 {
		return "call"
	}
	return fmt.Sprintf("%d steps in turn", length)
}

// seed is used for all hashes in this process, so that they can be compared. Collisions are
// harmless, so a fast hash is enough. SHA-256 took 0.1 ms for a result of 20 KB.
var seed = maphash.MakeSeed()

// fingerprint returns equal values for equal calls with equal results. White space and the order of
// keys in the arguments do not matter.
func fingerprint(calls []messages.ToolCall, results []messages.ToolResult) uint64 {
	var sum maphash.Hash
	sum.SetSeed(seed)
	for i, call := range calls {
		write(&sum, call.Name)
		write(&sum, normal(call.Args))
		write(&sum, string(results[i].Status))
		write(&sum, timeless(results[i].Text)...)
	}
	return sum.Sum64()
}

// timeless removes the durations of commands from text, because equal calls take different times.
// It returns the pieces of the remaining text.
func timeless(text string) (pieces []string) {
	const took = ", took "
	for at := 0; ; {
		from := strings.Index(text[at:], took)
		if from < 0 {
			return append(pieces, text)
		}
		from += at
		end := strings.IndexByte(text[from:], ']')
		if end < 0 || end > 24 {
			at = from + len(took)
			continue
		}
		pieces, text, at = append(pieces, text[:from]), text[from+end:], 0
	}
}

// write adds the pieces of a string to the hash, and then their total length as a separator.
func write(sum *maphash.Hash, pieces ...string) {
	size := 0
	for _, piece := range pieces {
		_, _ = sum.WriteString(piece) // never fails
		size += len(piece)
	}
	fmt.Fprintf(sum, "|%d|", size)
}

func normal(args json.RawMessage) string {
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return string(args)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return string(args)
	}
	return string(encoded)
}
