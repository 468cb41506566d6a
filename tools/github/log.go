package github

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"marvin/tools/internal/proc"
	"marvin/tools/internal/text"
)

// actions/runner starts each line of a job log with a timestamp. In an error line, "##[error]"
// follows the timestamp. See
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands

// logKept is the size in bytes of a shortened [tail]. A tail is shortened when it exceeds twice
// this size. Some logs are hundreds of MB long.
const logKept = 512 << 10

// tail is a writer that keeps the end of the text written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*logKept {
		t.kept = append([]byte(nil), t.kept[len(t.kept)-logKept:]...)
	}
	return len(p), nil
}

// log returns the end of a job's log.
func (c client) log(ctx context.Context, id int64) (string, error) {
	var end tail
	command := c.command("api", "--method", "GET", c.path("actions", "jobs", strconv.FormatInt(id, 10), "logs"))
	command.Stdout = &end
	result, err := proc.Run(ctx, command)
	if err != nil {
		return "", c.noGH(err)
	}
	if result.ExitCode != 0 {
		return "", c.ghError(result)
	}
	return strings.ToValidUTF8(string(end.kept), "�"), nil
}

var stampOrColour = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\x{feff}?\d{4}-\d\d-\d\dT[\d:.]+Z ?|\x1b\[[0-9;]*m`)
})

// errorLines returns the last error in a log and the lines that lead up to that error. If the log
// contains no error, errorLines returns the last lines.
func errorLines(log string, most int) []string {
	var lines []string
	at := -1
	for line := range strings.Lines(log) {
		line = stampOrColour().ReplaceAllString(strings.TrimRight(line, "\r\n"), "")
		switch {
		case strings.HasPrefix(line, "##[error]"):
			line = "error: " + strings.TrimPrefix(line, "##[error]")
			at = len(lines)
		case strings.HasPrefix(line, "##[group]"), strings.HasPrefix(line, "##[endgroup]"):
			continue
		}
		lines = append(lines, text.Clip(line, 300))
	}
	if at >= 0 {
		lines = lines[:at+1]
	}
	return lines[max(0, len(lines)-most):]
}

func lastLines(said string, most int) []string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	lines = lines[max(0, len(lines)-most):]
	for i, line := range lines {
		lines[i] = text.Clip(strings.TrimRight(line, "\r"), 300)
	}
	return lines
}
