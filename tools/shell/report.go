package shell

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// shown is a set of limits for long output that cannot be stored. They are below
// [tools.ResultLimits], because a second cut would lose the number of omitted lines.
var shown = tools.Limits{Bytes: 54 << 10, Lines: 1900, LineBytes: 4000, Tokens: 13_500}

// Output within the ordinary limits is shown in full. Longer output is stored, and only its two
// ends are shown.
var (
	ordinary = tools.Limits{Bytes: 32 << 10, Lines: 1000, LineBytes: 4000, Tokens: 10_000}
	ends     = tools.Limits{Bytes: 20 << 10, Lines: 400, LineBytes: 1000, Tokens: 5500}
)

func report(result proc.Result, took time.Duration, printed *outputSink) string {
	text, note := printed.forModel(result)
	text = cmp.Or(text, "(no output)\n")
	text += note + describeEnd(result, took)
	if len(result.Left) > 0 {
		text += "[still running in the background; later output is stored only if it goes to a file:]\n"
		for _, process := range result.Left {
			text += fmt.Sprintf("  pid %d: %s\n", process.PID, tools.Visible(process.Command))
		}
	}
	return text
}

// reportFor returns a command's output, and a note on where the rest is. Output of ordinary length
// is returned in full. reportFor closes the spool.
func reportFor(stdout, stderr proc.Output, spool *tools.Spool) (text, note string) {
	var said printed
	whole := stderr.Dropped() == 0 && stdout.Dropped() == 0
	if whole {
		said = readBoth(stdout, stderr, ordinary)
		if text, line := said.withinLimits(ordinary); line == 0 {
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
	text, line := said.withinLimits(limits)
	if err == nil {
		note = spool.OutputNote(kept, line)
	}
	return text, note
}

// printed contains the two parsed output streams of a command.
type printed struct{ stderr, stdout stream }

// readBoth parses both streams. The limits apply only if the middle of a stream is missing.
func readBoth(stdout, stderr proc.Output, limits tools.Limits) printed {
	return printed{read(stderr, limits), read(stdout, limits)}
}

// withinLimits returns the text of both streams, shortened to the limits. The result line is the
// maximum of the two lines that stream.cut returns.
func (p printed) withinLimits(limits tools.Limits) (text string, line int64) {
	first, missing := p.stderr.cut(part(limits, 2))
	rest := limits
	rest.Bytes, rest.Lines, rest.Tokens = limits.Bytes-len(first), limits.Lines-strings.Count(first, "\n"), limits.Tokens-tools.EstimateTokens(first)
	text, line = p.stdout.cut(rest)
	if first != "" {
		text += "STDERR:\n" + first
	}
	return text, max(line, missing)
}

func describeEnd(result proc.Result, took time.Duration) string {
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

func part(limits tools.Limits, n int) tools.Limits {
	limits.Bytes, limits.Lines, limits.Tokens = limits.Bytes/n, limits.Lines/n, limits.Tokens/n
	return limits
}

// block returns the text of a stream for the user who ran the command. The text contains only the
// final state of a progress bar, and ends with a newline.
func block(output proc.Output) string {
	if output.Binary() {
		return output.Text() + "[to look into it, use \"file\", \"strings\" or \"xxd | head\"]\n"
	}
	var text strings.Builder
	for line := range strings.Lines(output.Text()) {
		line = strings.TrimRight(line, "\r\n")
		text.WriteString(line[strings.LastIndexByte(line, '\r')+1:] + "\n")
	}
	return text.String()
}
