package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"marvin/messages"
	"marvin/ui/jsonl"
)

// bar is standard error during a batch: on a terminal its last line says how far the
// batch is, at most ten times a second; else only what is written to it appears.
type bar struct {
	out  io.Writer // for text
	file *os.File  // the terminal, for the bar; nil where a line cannot be drawn over

	mu    sync.Mutex
	shown bool // the last line of the terminal is the bar
	told  map[string]bool
	stop  chan struct{}
	done  chan struct{}
}

const redraw = 100 * time.Millisecond

func newBar(world World) *bar {
	b := &bar{out: world.Stderr, told: map[string]bool{}}
	if file, ok := steered(world.Stderr).(*os.File); ok && terminal(file) && world.Getenv("TERM") != "dumb" {
		b.file = file
	}
	return b
}

// Write puts text above the bar, which the next redraw brings back.
func (b *bar) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
	return b.out.Write(text)
}

func (b *bar) clear() {
	if b.shown {
		io.WriteString(b.file, "\r\x1b[K")
		b.shown = false
	}
}

// beside is stdout, kept apart from the bar if both are the same terminal.
func (b *bar) beside(stdout io.Writer) io.Writer {
	if b.file == nil || !terminal(stdout) {
		return stdout
	}
	return writing(func(text []byte) (int, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.clear()
		return stdout.Write(text)
	})
}

type writing func([]byte) (int, error)

func (w writing) Write(text []byte) (int, error) { return w(text) }

// notesTold is how many different notes of conversations are told.
const notesTold = 20

// notes takes what conversations say for people. A thousand of them say the same.
func (b *bar) notes() io.Writer {
	return writing(func(text []byte) (int, error) {
		b.mu.Lock()
		told := b.told[string(text)] || len(b.told) >= notesTold
		if !told {
			b.told[string(text)] = true
		}
		b.mu.Unlock()
		if !told {
			_, _ = b.Write(text)
		}
		return len(text), nil
	})
}

// begin draws until end.
func (b *bar) begin(tally *tally, prompts *os.File) {
	if b.file == nil {
		return
	}
	b.stop, b.done = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(b.done)
		all, ticks := countPrompts(prompts), time.NewTicker(redraw)
		defer ticks.Stop()
		for {
			select {
			case <-b.stop:
				return
			case <-ticks.C:
				b.draw(tally.line(all))
			}
		}
	}()
}

// end takes the bar away.
func (b *bar) end() {
	if b.stop != nil {
		close(b.stop)
		<-b.done
		b.stop = nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
}

func (b *bar) draw(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if width, _, err := term.GetSize(int(b.file.Fd())); err == nil && len(line) >= width {
		line = line[:max(0, width-1)]
	}
	io.WriteString(b.file, "\r"+line+"\x1b[K")
	b.shown = true
}

// barWidth is how long the bar itself is, in characters.
const barWidth = 24

// line says how far the batch is, in ASCII. all is 0 where nobody knows the end.
func (t *tally) line(all int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended := t.ended()
	var line strings.Builder
	if all > 0 {
		full := min(barWidth, barWidth*ended/all)
		fmt.Fprintf(&line, "[%s%s] %d/%d", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), ended, all)
	} else {
		fmt.Fprintf(&line, "%d done", ended)
	}
	fmt.Fprintf(&line, ", %d running", t.running)
	if bad := ended - t.skipped - t.outcomes[messages.Completed]; bad > 0 {
		fmt.Fprintf(&line, ", %d not answered", bad)
	}
	fmt.Fprintf(&line, ", $%.4f, %s", t.spent, t.now().Sub(t.begun).Round(time.Second))
	return line.String()
}

// countPrompts counts the lines of a file without moving its place; 0 for a pipe.
func countPrompts(prompts *os.File) int {
	info, err := prompts.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	reader := jsonl.NewReader(io.NewSectionReader(prompts, 0, info.Size()))
	for count := 0; ; count++ {
		if _, err := reader.Next(); err != nil {
			return count
		}
	}
}
