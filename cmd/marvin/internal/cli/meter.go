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

// meter shows the progress of a slow scan on a terminal, in a line that it removes afterwards. It
// shows nothing within the first second. It is safe for concurrent use.
type meter struct {
	file  *os.File // nil without a terminal
	doing string   // "Reading conversations"
	now   func() time.Time

	mu    sync.Mutex
	count int
	drawn time.Time // last update, or the start
	shown bool
}

// The first line appears after a second, then five updates per second.
const (
	meterPatience = time.Second
	meterRedraw   = 200 * time.Millisecond
)

func NewMeter(world World, doing string) *meter {
	m := &meter{file: ProgressTerminal(world), doing: doing, now: world.Now}
	if m.file != nil {
		m.drawn = m.now()
	}
	return m
}

// Step must be called for each item.
func (m *meter) Step(all int) {
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
		line := fmt.Sprintf("%s: %d of %d", m.doing, m.count, all)
		if width, _, err := term.GetSize(int(m.file.Fd())); err == nil { // a line that wraps could not be removed
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
