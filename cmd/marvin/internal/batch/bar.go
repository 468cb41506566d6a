package batch

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"marvin/messages"
	"marvin/messages/jsonlines"
)

// Bar is standard error during a batch: on a terminal its last line says how far the
// batch is, at most ten times a second; else only what is written to it appears.
type Bar struct {
	out  io.Writer // for text
	file *os.File  // the terminal, for the bar; nil where a line cannot be drawn over

	mu    sync.Mutex
	shown bool // the last line of the terminal is the bar
	stop  chan struct{}
	done  chan struct{}
}

const redraw = 100 * time.Millisecond

// NewBar makes one of standard error. The terminal is where it is drawn, nil for nowhere.
func NewBar(stderr io.Writer, terminal *os.File) *Bar {
	return &Bar{out: stderr, file: terminal}
}

// Write puts text above the bar, which the next redraw brings back.
func (b *Bar) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
	return b.out.Write(text)
}

func (b *Bar) clear() {
	if b.shown {
		io.WriteString(b.file, "\r\x1b[K")
		b.shown = false
	}
}

// Beside is a terminal, kept apart from the bar, which may be drawn on the same one.
func (b *Bar) Beside(stdout io.Writer) io.Writer {
	if b.file == nil {
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

// notesTold limits how many different notices are shown.
const notesTold = 20

// Deduplicated writes what conversations say for people, each note once: a thousand of them say
// the same.
func Deduplicated(out io.Writer) io.Writer {
	var mu sync.Mutex
	told := map[string]bool{}
	return writing(func(text []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		if !told[string(text)] && len(told) < notesTold {
			told[string(text)] = true
			_, _ = out.Write(text)
		}
		return len(text), nil
	})
}

// begin draws until end.
func (b *Bar) begin(progress func(all int) string, prompts *os.File) {
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
				b.draw(progress(all))
			}
		}
	}()
}

// End takes the bar away.
func (b *Bar) End() {
	if b.stop != nil {
		close(b.stop)
		<-b.done
		b.stop = nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
}

func (b *Bar) draw(line string) {
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

// line is the progress of the batch, in ASCII. all is 0 if the end is unknown; running is how many
// are being answered elsewhere, -1 if here.
func (t *tally) line(all, running int, more string) string {
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
	if running < 0 {
		running = t.running
	}
	fmt.Fprintf(&line, ", %d running%s", running, more)
	elapsed := t.now().Sub(t.begun)
	if more != "" && elapsed >= time.Second {
		fmt.Fprintf(&line, ", %.1f/s", float64(ended-t.skipped)/elapsed.Seconds())
	}
	if bad := ended - t.skipped - t.sent - t.outcomes[messages.Completed]; bad > 0 {
		fmt.Fprintf(&line, ", %d failed", bad)
	}
	fmt.Fprintf(&line, ", $%.4f, %s", t.spent, elapsed.Round(time.Second))
	if answered := ended - t.skipped; answered > 0 && ended < all && elapsed >= time.Second {
		left := elapsed / time.Duration(answered) * time.Duration(all-ended)
		fmt.Fprintf(&line, ", about %s left", left.Round(time.Second))
	}
	return line.String()
}

// countPrompts counts the lines of a file without moving its place; 0 for a pipe.
func countPrompts(prompts *os.File) int {
	info, err := prompts.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	reader := jsonlines.NewReader(io.NewSectionReader(prompts, 0, info.Size()))
	for count := 0; ; count++ {
		if _, err := reader.Next(); err != nil {
			return count
		}
	}
}
