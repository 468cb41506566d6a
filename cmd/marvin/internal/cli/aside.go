package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// TranscriptWriter writes to standard error or, while the full-screen interface runs, to the
// transcript. On the terminal, a warning would shift the screen and be overwritten.
type TranscriptWriter struct {
	Out   io.Writer
	mutex sync.Mutex
	lines chan string // nil while lines go directly to Out
	early []string    // startup lines that Repeat prints again
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

// End writes the queued lines to Out. Later lines go directly to Out.
func (a *TranscriptWriter) End() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for len(a.lines) > 0 {
		io.WriteString(a.Out, <-a.lines+"\n")
	}
	a.lines = nil
}

// Repeat prints the startup warnings again after the full screen has hidden them. Otherwise users
// would discover an ignored setting only at the end.
func (a *TranscriptWriter) Repeat() {
	a.mutex.Lock()
	early := a.early
	a.early = nil
	a.mutex.Unlock()
	for _, text := range early {
		_, _ = a.Write([]byte(text))
	}
}

// asideLines is the maximum number of lines that wait for the screen. Further lines are dropped,
// because their writers must not wait.
const asideLines = 64

// ReportConversation prints a line about the conversation. If the full screen starts afterward, the
// transcript repeats the line.
func ReportConversation(world World, text string) {
	if aside, ok := world.Stderr.(*TranscriptWriter); ok {
		aside.mutex.Lock()
		aside.early = append(aside.early, text)
		aside.mutex.Unlock()
	}
	fmt.Fprintln(world.Stderr, text)
}

// WantsFullScreen reports whether a user sits at a capable terminal and did not ask for plain
// lines.
func WantsFullScreen(world World, opts Options) bool {
	kind := world.Getenv("TERM")
	return !opts.Plain && kind != "" && kind != "dumb" && world.Getenv("ACCESSIBLE") != "1" &&
		Terminal(world.Stdin) && Terminal(world.Stdout)
}

// ProgressTerminal returns standard error if it is a terminal that can redraw a line, else nil.
func ProgressTerminal(world World) *os.File {
	if file, ok := Unwrapped(world.Stderr).(*os.File); ok && Terminal(file) && world.Getenv("TERM") != "dumb" {
		return file
	}
	return nil
}
