package command

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// printedBytes is the maximum size of undisplayed output. Write drops the oldest output instead of
// blocking the command.
const printedBytes = 64 << 10

// readInterval is the time from one read of a command's output to the next.
const readInterval = 100 * time.Millisecond

// printed is a bounded buffer for the output of a running command.
type printed struct {
	more  chan struct{} // a signal that output has arrived
	ended chan struct{}

	mutex sync.Mutex
	text  []byte
	lost  int // number of dropped bytes that the user has not been told about
}

func newPrinted() *printed {
	return &printed{more: make(chan struct{}, 1), ended: make(chan struct{})}
}

// Write stores a piece of the command's output.
func (p *printed) Write(more []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.text = append(p.text, more...)
	if over := len(p.text) - printedBytes; over > 0 {
		over += bytes.IndexByte(p.text[over:], '\n') + 1 // continue at the start of a line
		p.lost += over
		p.text = append(p.text[:0], p.text[over:]...)
	}
	select {
	case p.more <- struct{}{}:
	default:
	}
	return len(more), nil
}

func (p *printed) end() { close(p.ended) }

// wait returns true once output has arrived, or false once the command has ended.
func (p *printed) wait() bool {
	select {
	case <-p.more:
	case <-p.ended:
		return false
	}
	select {
	case <-time.After(readInterval): // more output may follow soon
		return true
	case <-p.ended:
		return false
	}
}

// lines removes and returns the complete lines of p.text. Trailing empty lines remain in p.text.
func (p *printed) lines() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	whole := bytes.TrimRight(p.text[:bytes.LastIndexByte(p.text, '\n')+1], "\n")
	if len(whole) == 0 {
		return ""
	}
	lines := p.leftOut() + stripSequences(string(whole)) + "\n"
	p.text = append(p.text[:0], p.text[len(whole)+1:]...)
	return lines
}

// rest returns the remaining output, without trailing line breaks.
func (p *printed) rest() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	rest := p.leftOut() + stripSequences(string(p.text))
	p.text = nil
	return strings.TrimRight(rest, "\n")
}

// sequencePattern matches terminal sequences that set colors or move the cursor. It does not match
// other sequences, because they can contain text of the output.
var sequencePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b(\[[0-9;:?]*[A-Za-z]|[()][0-9A-B]|[=>78])`)
})

// stripSequences removes terminal sequences from output. Some programs write them even to a pipe.
func stripSequences(text string) string {
	if !strings.Contains(text, "\x1b") {
		return text
	}
	return sequencePattern().ReplaceAllString(text, "")
}

func (p *printed) leftOut() (said string) {
	if p.lost > 0 {
		said = fmt.Sprintf("[… %d bytes left out …]\n", p.lost)
	}
	p.lost = 0
	return said
}

// follow sends complete lines of output to the display while a command runs. [CommandDisplay.End]
// shows the rest.
func (s shell) follow(printed *printed, shown CommandDisplay) {
	s.Front.Go(func() func() {
		if !printed.wait() {
			return func() {}
		}
		return func() {
			if lines := printed.lines(); lines != "" {
				shown.Print(lines)
			}
			s.follow(printed, shown)
		}
	})
}
