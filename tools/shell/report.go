package shell

import (
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// shown limits a command's output for a model. It is below [tools.ResultLimits] to avoid a second
// cut, which would lose the count of the first.
var shown = tools.Limits{Bytes: 54 << 10, Lines: 1900, LineBytes: 4000, Tokens: 13_500}

// If the whole output is stored, a long one is shown only at its ends: the model can ask for more.
var (
	ordinary = tools.Limits{Bytes: 32 << 10, Lines: 1000, LineBytes: 4000, Tokens: 10_000}
	ends     = tools.Limits{Bytes: 20 << 10, Lines: 400, LineBytes: 1000, Tokens: 5500}
)

// report is the result as a model reads it.
func report(result proc.Result, took time.Duration, printed *printing) string {
	text, note := printed.told(result)
	if text == "" {
		text = "(no output)\n"
	}
	text += note + ended(result, took)
	if len(result.Left) > 0 {
		text += "[left running in the background; their later output is lost unless it goes to a file:]\n"
		for _, process := range result.Left {
			text += fmt.Sprintf("  pid %d: %s\n", process.PID, tools.Visible(process.Command))
		}
	}
	return text
}

// told is what a command printed, whole where it is of ordinary length, and where the rest of it
// is. It ends the spool.
func told(stdout, stderr proc.Output, spool *tools.Spool) (text, note string) {
	var said printed
	whole := stderr.Dropped() == 0 && stdout.Dropped() == 0
	if whole {
		said = readBoth(stdout, stderr, ordinary)
		if text, line := said.within(ordinary); line == 0 {
			spool.Discard()
			return text, ""
		}
	}
	limits := ends
	kept, err := spool.Keep()
	if err != nil {
		limits = shown
	}
	if !whole {
		said = readBoth(stdout, stderr, limits)
	}
	text, line := said.within(limits)
	if err == nil {
		note = spool.Elsewhere(kept, line)
	}
	return text, note
}

// printed is what a command printed, read once and shown within the limits that fit.
type printed struct{ stderr, stdout stream }

// readBoth reads what may be shown of both streams within limits.
func readBoth(stdout, stderr proc.Output, limits tools.Limits) printed {
	return printed{read(stderr, limits), read(stdout, limits)}
}

// within is what both streams say within limits; line is the first one that is left out,
// 0 where none is.
func (p printed) within(limits tools.Limits) (text string, line int64) {
	first, missing := p.stderr.cut(part(limits, 2))
	rest := limits
	rest.Bytes, rest.Lines, rest.Tokens = limits.Bytes-len(first), limits.Lines-strings.Count(first, "\n"), limits.Tokens-tools.EstimateTokens(first)
	text, line = p.stdout.cut(rest)
	if first != "" {
		text += "STDERR:\n" + first
	}
	return text, max(line, missing)
}

// ended says how the command ended, and after how long.
func ended(result proc.Result, took time.Duration) string {
	signal := ""
	if result.Signal != "" {
		signal = ", ended by a signal: " + result.Signal
	}
	unit := 100 * time.Millisecond
	if took >= 10*time.Second {
		unit = time.Second
	}
	return fmt.Sprintf("[exit code: %d%s, took %s]\n", result.ExitCode, signal, took.Round(unit))
}

// part is the n-th part of limits.
func part(limits tools.Limits, n int) tools.Limits {
	limits.Bytes, limits.Lines, limits.Tokens = limits.Bytes/n, limits.Lines/n, limits.Tokens/n
	return limits
}

// block is a stream as a person reads what they ran: progress bars as a terminal would
// leave them, and a newline at its end.
func block(output proc.Output) string {
	if output.Binary() {
		return output.Text() + "[to look into it: file, strings, xxd | head]\n"
	}
	var text strings.Builder
	for line := range strings.Lines(output.Text()) {
		line = strings.TrimRight(line, "\r\n")
		text.WriteString(line[strings.LastIndexByte(line, '\r')+1:] + "\n")
	}
	return text.String()
}
