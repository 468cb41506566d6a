package batch

import (
	"crypto/sha256"
	"encoding/binary"

	"marvin/cmd/marvin/internal/idtable"
)

// ids is a table of the prompts that a batch has read. It is safe for concurrent use.
type ids struct {
	// table contains, for each id, the line number and the state of the prompt. The state is 0 until
	// the prompt is sent, then the prompt's fingerprint, and finally, after the answer, the constant
	// settled.
	table *idtable.Table
}

// settled is the value that replaces a prompt's fingerprint once its answer has arrived.
// Fingerprints are odd, so no fingerprint equals 2.
const settled = 2

// printOf hashes a fingerprint to a number. The lowest bit is always 1, so the number is neither 0
// nor 2.
func printOf(asked string) uint64 {
	sum := sha256.Sum256([]byte(asked))
	return binary.LittleEndian.Uint64(sum[:]) | 1
}

// addLine records the line number of an id. If the id is already known, addLine changes nothing and
// returns the first line number.
func (i ids) addLine(id string, line int) (first int, known bool) {
	i.table.Update(id, func(value *idtable.Value, there bool) bool {
		if known = there; there {
			first = int(value[0])
			return false
		}
		value[0] = uint64(line)
		return true
	})
	return first, known
}

// recordSent records that a fleet will answer the prompt.
func (i ids) recordSent(prompt Prompt) {
	i.table.Put(prompt.ID, idtable.Value{uint64(prompt.Line), printOf(prompt.Asked)})
}

// settle declares that a prompt is answered, and returns the prompt's line number. For an
// unexpected answer, settle returns 0.
func (i ids) settle(id, asked string) (line int) {
	i.table.Update(id, func(value *idtable.Value, there bool) bool {
		if !there || value[1] != printOf(asked) {
			return false
		}
		line, value[1] = int(value[0]), settled
		return true
	})
	return line
}

// earlier is the set of results from previous runs. If table is nil, the set is empty.
type earlier struct {
	table *idtable.Table // maps a prompt id to an outcome and a fingerprint; an unknown fingerprint is 0
}

// The possible outcomes of a prompt in a previous run.
const (
	wasAnswered uint64 = iota + 1
	wasMissed
)

// enter adds a result, which replaces any previous result with the same id.
func (e earlier) enter(id, asked string, answered bool) {
	value := idtable.Value{wasMissed}
	if answered {
		value[0] = wasAnswered
	}
	if asked != "" { // older versions of Marvin stored no fingerprint
		value[1] = printOf(asked)
	}
	e.table.Put(id, value)
}

// find returns the stored outcome, or 0 for an unknown id. changed reports whether that outcome is
// for a different prompt.
func (e earlier) find(id, asked string) (outcome uint64, changed bool) {
	if e.table == nil {
		return 0, false
	}
	value, _ := e.table.Get(id)
	return value[0], value[1] != 0 && value[1] != printOf(asked)
}
