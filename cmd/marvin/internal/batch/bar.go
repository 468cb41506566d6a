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

// Bar is a writer that shows a progress bar below its text. The bar is redrawn ten times a second.
// Without a terminal, there is no bar.
type Bar struct {
	out  io.Writer // receives the text
	file *os.File  // the terminal; nil if no bar is drawn

	mu    sync.Mutex
	shown bool // the last line of the terminal is the bar
	stop  chan struct{}
	done  chan struct{}
}

const redraw = 100 * time.Millisecond

// NewBar returns a bar that writes text to stderr and draws the progress on the given terminal. If
// terminal is nil, no progress is shown.
func NewBar(stderr io.Writer, terminal *os.File) *Bar {
	return &Bar{out: stderr, file: terminal}
}

// Write puts text above the bar. The next redraw shows the bar again.
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

// Wrap returns a writer that removes the bar from the terminal before each write to stdout.
func (b *Bar) Wrap(stdout io.Writer) io.Writer {
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

// notesTold is the maximum number of notices that [Deduplicated] prints.
const notesTold = 20

// Deduplicated returns a writer that prints each notice only once, and at most notesTold notices.
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

// begin creates a goroutine that redraws the bar until [Bar.End] is called.
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

// End removes the bar.
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

// barWidth is the number of characters between the brackets of the bar.
const barWidth = 24

// line returns the progress as ASCII text. A total of 0 means that the total is unknown. If the
// number of running prompts is negative, t.running is shown instead.
func (t *tally) line(total, running int, more string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended := t.ended()
	var line strings.Builder
	if total > 0 {
		full := min(barWidth, barWidth*ended/total)
		fmt.Fprintf(&line, "[%s%s] %d/%d", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), ended, total)
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
	if answered := ended - t.skipped; answered > 0 && ended < total && elapsed >= time.Second {
		left := elapsed / time.Duration(answered) * time.Duration(total-ended)
		fmt.Fprintf(&line, ", about %s left", left.Round(time.Second))
	}
	return line.String()
}

// countPrompts counts the lines of a file, and leaves the reading position unchanged. For a pipe it
// returns 0.
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
