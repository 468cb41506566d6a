package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"marvin/ui/view"
)

// meter shows the progress of a slow scan on one line of the terminal. It is safe for concurrent
// use.
type meter struct {
	file  *os.File // nil without a terminal
	doing string   // such as "Reading conversations"
	now   func() time.Time

	mu    sync.Mutex
	count int
	drawn time.Time // the time of the last redraw; initially, the start of the scan
	shown bool
}

const (
	meterPatience = time.Second            // minimum delay before the line appears
	meterRedraw   = 200 * time.Millisecond // minimum delay between updates
)

func NewMeter(world World, doing string) *meter {
	m := &meter{file: ProgressTerminal(world), doing: doing, now: world.Now}
	if m.file != nil {
		m.drawn = m.now()
	}
	return m
}

// Step counts one item, and redraws the line if enough time has passed.
func (m *meter) Step(total int) {
	if m.file == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count++
	now, wait := m.now(), meterPatience
	if m.shown {
		wait = meterRedraw
	}
	if now.Sub(m.drawn) >= wait {
		line := fmt.Sprintf("%s: %d of %d", m.doing, m.count, total)
		if width, _, err := term.GetSize(int(m.file.Fd())); err == nil { // End cannot remove a wrapped line
			line = view.Cut(line, width-1)
		}
		fmt.Fprintf(m.file, "\r%s\x1b[K", line)
		m.drawn, m.shown = now, true
	}
}

// End removes the line.
func (m *meter) End() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shown {
		_, _ = io.WriteString(m.file, "\r\x1b[K")
		m.shown = false
	}
}
