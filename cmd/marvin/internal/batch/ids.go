package batch

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// ids are the names of the prompts that were read, 16 bytes each whatever their length: a
// million of them must not fill the memory. It is safe for concurrent use.
type ids struct {
	mu    *sync.Mutex
	lines map[uint64]mark
}

// mark is what is known of a prompt.
type mark struct {
	line  uint32
	asked uint32 // the beginning of its fingerprint, of one that is answered elsewhere; 0 for others
}

// settled is in the place of a fingerprint, which is odd, once the answer came.
const settled = 2

func owes(asked string) uint32 { return uint32(short(asked)) | 1 }

func newIDs() ids { return ids{mu: &sync.Mutex{}, lines: map[uint64]mark{}} }

func short(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

// enter notes where an id stands; one that is known stays where it was first.
func (i ids) enter(id string, line int) (first int, known bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	before, known := i.lines[short(id)]
	if !known {
		i.lines[short(id)] = mark{line: uint32(line)}
	}
	return int(before.line), known
}

// owe says that the answer to a prompt comes from elsewhere.
func (i ids) owe(prompt Prompt) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.lines[short(prompt.ID)] = mark{line: uint32(prompt.Line), asked: owes(prompt.Asked)}
}

// settle takes an answer from elsewhere: the line that it answers, 0 if it answers none
// that is owed.
func (i ids) settle(id, asked string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	is := i.lines[short(id)]
	if is.asked != owes(asked) {
		return 0
	}
	is.asked = settled
	i.lines[short(id)] = is
	return int(is.line)
}
