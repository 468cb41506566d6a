package command

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// printedBytes is how much output waits to be shown. Older output beyond it is dropped: the command
// never waits.
const printedBytes = 64 << 10

// between is the time between two looks at what a command prints.
const between = 100 * time.Millisecond

// printed is what a command printed that runs, and that was not shown yet.
type printed struct {
	more  chan struct{} // holds one where there is something
	ended chan struct{}

	mutex sync.Mutex
	text  []byte
	lost  int // bytes in front of it
}

func newPrinted() *printed {
	return &printed{more: make(chan struct{}, 1), ended: make(chan struct{})}
}

// Write is called as the command prints.
func (p *printed) Write(more []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.text = append(p.text, more...)
	if over := len(p.text) - printedBytes; over > 0 {
		over += bytes.IndexByte(p.text[over:], '\n') + 1 // from the beginning of a line
		p.lost += over
		p.text = append(p.text[:0], p.text[over:]...)
	}
	select {
	case p.more <- struct{}{}:
	default:
	}
	return len(more), nil
}

// over says that the command ended.
func (p *printed) over() { close(p.ended) }

// wait returns when something was printed, or with false when the command ended.
func (p *printed) wait() bool {
	select {
	case <-p.more:
	case <-p.ended:
		return false
	}
	select {
	case <-time.After(between): // more of it may follow
		return true
	case <-p.ended:
		return false
	}
}

// lines are those not shown yet; empty ones wait for the next text.
func (p *printed) lines() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	whole := bytes.TrimRight(p.text[:bytes.LastIndexByte(p.text, '\n')+1], "\n")
	if len(whole) == 0 {
		return ""
	}
	lines := p.leftOut() + undrawn(string(whole)) + "\n"
	p.text = append(p.text[:0], p.text[len(whole)+1:]...)
	return lines
}

// rest is everything not shown yet, without line breaks at the end.
func (p *printed) rest() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	rest := p.leftOut() + undrawn(string(p.text))
	p.text = nil
	return strings.TrimRight(rest, "\n")
}

// sequences set colors or move the cursor. Nothing else is among them, so that no words go with one.
var sequences = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b(\[[0-9;:?]*[A-Za-z]|[()][0-9A-B]|[=>78])`)
})

// undrawn is output without sequences for a terminal: some programs write them to a pipe, too.
func undrawn(text string) string {
	if !strings.Contains(text, "\x1b") {
		return text
	}
	return sequences().ReplaceAllString(text, "")
}

func (p *printed) leftOut() (said string) {
	if p.lost > 0 {
		said = fmt.Sprintf("[… %d bytes left out …]\n", p.lost)
	}
	p.lost = 0
	return said
}

// follow shows what a command prints as it comes. What is left at its end is shown with that.
func (s shell) follow(printed *printed, shown Running) {
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
