package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// TranscriptWriter is standard error, which while the screen is full goes to the transcript: a
// warning in the middle of it would be overwritten, and shift everything.
type TranscriptWriter struct {
	Out   io.Writer
	mutex sync.Mutex
	lines chan string // nil while lines go to out
	early []string    // what went to out and is said again: the full screen hides it
}

func (a *TranscriptWriter) Write(text []byte) (int, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.lines == nil {
		if strings.HasPrefix(string(text), "warning:") {
			a.early = append(a.early, string(text))
		}
		return a.Out.Write(text)
	}
	select {
	case a.lines <- strings.TrimRight(string(text), "\n"):
	default:
	}
	return len(text), nil
}

func (a *TranscriptWriter) Begin() <-chan string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.lines = make(chan string, asideLines)
	return a.lines
}

// Discard drops all later output, because the terminal is gone. It returns the underlying writer.
func (a *TranscriptWriter) Discard() any {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	out := Unwrapped(a.Out)
	a.Out = io.Discard
	return out
}

// End writes unseen lines to standard error.
func (a *TranscriptWriter) End() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for len(a.lines) > 0 {
		io.WriteString(a.Out, <-a.lines+"\n")
	}
	a.lines = nil
}

// Repeat says the warnings of the start again, for a screen that covers them: a setting
// that does not hold must not be found out when the person leaves.
func (a *TranscriptWriter) Repeat() {
	a.mutex.Lock()
	early := a.early
	a.early = nil
	a.mutex.Unlock()
	for _, text := range early {
		_, _ = a.Write([]byte(text)) // it keeps what it cannot show
	}
}

// asideLines is how many lines wait for the screen; more are dropped, because their writers must
// not wait.
const asideLines = 64

// ReportConversation says which conversation continues, on the full screen too.
func ReportConversation(world World, text string) {
	if aside, ok := world.Stderr.(*TranscriptWriter); ok {
		aside.mutex.Lock()
		aside.early = append(aside.early, text)
		aside.mutex.Unlock()
	}
	fmt.Fprintln(world.Stderr, text)
}

// WantsFullScreen says whether a person sits at a terminal that can be drawn on and
// did not ask for lines.
func WantsFullScreen(world World, opts Options) bool {
	kind := world.Getenv("TERM")
	return !opts.Plain && kind != "" && kind != "dumb" && world.Getenv("ACCESSIBLE") != "1" &&
		Terminal(world.Stdin) && Terminal(world.Stdout)
}

// ProgressTerminal is standard error where a line can be drawn over, nil elsewhere.
func ProgressTerminal(world World) *os.File {
	if file, ok := Unwrapped(world.Stderr).(*os.File); ok && Terminal(file) && world.Getenv("TERM") != "dumb" {
		return file
	}
	return nil
}
