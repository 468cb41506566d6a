package shell

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"

	"marvin/tools"
)

// recentLines and recentBytes limit the output that is shown as progress each second.
const (
	recentLines = 3
	recentBytes = 1000
)

// quiet is the maximum time between progress reports. Without new output, the last line is reported
// again.
const quiet = 10 * time.Second

// recent collects a command's output and reports the newest lines as progress.
type recent struct {
	tell  func(string)
	since func() time.Duration // time since the command began

	mutex sync.Mutex
	text  []byte // unreported output and any reported but incomplete line; at most recentBytes
	more  bool   // there is output since the last report

	// The remaining fields are used only by recent.pass.
	any  bool          // something was reported
	told string        // the last reported line
	when time.Duration // time of the last report, counted from the start of the command
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

// lines returns the newest unreported lines. An unfinished line is reported again when it grows.
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
		line = bytes.TrimSpace(line[bytes.LastIndexByte(line, '\r')+1:]) // overwritten text is not visible
		if len(line) > 0 {
			lines = append(lines, strings.ToValidUTF8(string(line), "�"))
		}
	}
	r.text = append(r.text[:0], r.text[bytes.LastIndexByte(r.text, '\n')+1:]...)
	return lines[max(0, len(lines)-recentLines):]
}

// pass sends new output lines to r.tell. If no new line arrives for some time, pass repeats the
// last line. pass is called once per second while the command runs.
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
