package shell

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"

	"marvin/tools"
)

// recentLines and recentBytes limit the progress shown per second: people read the end of it, and
// the rest is in the result.
const (
	recentLines = 3
	recentBytes = 1000
)

// quiet is how long a command may be silent before its last line is shown again, as a sign of life.
const quiet = 10 * time.Second

// recent hears what a command prints and tells its newest lines, each once.
type recent struct {
	tell  func(string)
	since func() time.Duration // the command began

	mutex sync.Mutex
	text  []byte // new since the last report, from the beginning of a line if known
	more  bool   // something came since then

	any  bool          // used by the goroutine that calls pass, like the next two: something was reported
	told string        // last
	when time.Duration // so long after the beginning
}

func (r *recent) Write(p []byte) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(p) > recentBytes {
		r.text = r.text[:0]
	}
	r.text = append(r.text, p[max(0, len(p)-recentBytes):]...)
	r.text = append(r.text[:0], r.text[max(0, len(r.text)-recentBytes):]...)
	r.more = true
	return len(p), nil
}

// lines are the newest unreported ones; an unfinished line is reported again when it grows.
func (r *recent) lines() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.more {
		return nil
	}
	r.more = false
	var lines []string
	for line := range bytes.SplitSeq(r.text, []byte{'\n'}) {
		line = bytes.TrimSpace(line)
		line = bytes.TrimSpace(line[bytes.LastIndexByte(line, '\r')+1:]) // what was written over is not seen
		if len(line) > 0 {
			lines = append(lines, strings.ToValidUTF8(string(line), "�"))
		}
	}
	r.text = append(r.text[:0], r.text[bytes.LastIndexByte(r.text, '\n')+1:]...)
	return lines[max(0, len(lines)-recentLines):]
}

// pass is called each second.
func (r *recent) pass() {
	lines, at := r.lines(), r.since()
	if len(lines) == 0 {
		if r.any && at-r.when < quiet {
			return
		}
		lines = []string{r.told}
	}
	r.any, r.told, r.when = true, lines[len(lines)-1], at
	for _, line := range lines {
		r.tell(strings.TrimSpace(fmt.Sprintf("%s %s", at.Round(time.Second), tools.Visible(line))))
	}
}
