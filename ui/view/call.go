package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
)

// call lays out a tool call. A folded call shows at most liveRows rows of output.
func (b *Block) call(width int, open bool, now time.Time) []Line {
	lines := b.gap([]Line{b.headline(width, open, now)})
	if len(b.Tool.Agents) > 0 {
		lines = append(lines, b.agents(width, now)...)
	}
	if open && b.Tool.Diff && b.Tool.Status != "" && width >= roomForDiff {
		return append(lines, b.diff(width)...)
	}
	if open && b.kind == messages.Words && b.Tool.Status != "" {
		return append(lines, indented(Markdown(safe(b.text.String()), max(width-4, 1)))...)
	}
	if open {
		lines = append(lines, b.command(width)...)
		return append(lines, b.ensureLayout().flow.layOut(b.text.String())...)
	}
	if b.Tool.Status == "" || b.own {
		lines = append(lines, b.liveOutput(width)...)
	}
	return lines
}

// command lays out b.Tool.Command and puts "$ " before the first line.
func (b *Block) command(width int) (rows []Line) {
	if b.Tool.Command == "" {
		return nil
	}
	for i, line := range strings.Split(safe(b.Tool.Command), "\n") {
		mark := "  "
		if i == 0 {
			mark = "$ "
		}
		rows = append(rows, indented(Wrap(Line{{Role: Plain, Text: mark + line}}, max(width-4, 1)))...)
	}
	return rows
}

// roomForDiff is the minimum width at which a diff has line numbers.
const roomForDiff = 24

// diff returns the rows of a call that changed a file.
func (b *Block) diff(width int) []Line {
	laid := &b.ensureLayout().diff
	if laid.width != width || laid.text != b.text.Len() {
		laid.width, laid.text, laid.lines = width, b.text.Len(), indented(diffRows(b.text.String(), max(width-4, 1)))
	}
	return laid.lines
}

// liveRows is the maximum number of rows that liveOutput returns.
const liveRows = 3

// liveOutput returns the end of a running call's output, one row per line. It omits lines that
// contain only a time, because the headline shows the time.
func (b *Block) liveOutput(width int) []Line {
	text := strings.TrimRight(b.text.String(), "\n")
	at := len(text)
	for range liveRows {
		if at = strings.LastIndexByte(text[:max(at, 0)], '\n'); at < 0 {
			break
		}
	}
	var rows []Line
	for line := range strings.SplitSeq(text[at+1:], "\n") {
		if _, err := time.ParseDuration(line); line != "" && err != nil {
			rows = append(rows, Line{{Role: Faint, Part: Margin, Text: Cut("  │ ", width)}, {Role: Faint, Text: Cut(oneLine(line), max(width-4, 0))}})
		}
	}
	return rows
}

// headline returns a call's status symbol, title, time and outcome in one line. It shortens the
// title if necessary. It omits the outcome of a successful call, because a turn can have dozens of
// calls. It also omits a summary that is visible below the line.
func (b *Block) headline(width int, open bool, now time.Time) Line {
	tool, took := b.Tool, b.Tool.Took
	if tool.Status == "" {
		took = now.Sub(tool.Begun).Truncate(time.Second)
	}
	sign, outcome := b.describeOutcome(width)
	title, name, summary := oneLine(tool.Title), safe(tool.Name), oneLine(tool.Summary)
	if !strings.HasPrefix(title, name) {
		title = strings.TrimSpace(name + " " + title)
	}
	if b.own && tool.Status == messages.ToolError || tool.Job != "" { // the outcome suffices
		summary = ""
	}
	lasted := " · " + Elapsed(took)
	if tool.Past || tool.Status != "" && took < minShownTime {
		lasted = ""
	}
	room := width - Width(sign.Text) - Width(lasted+outcome)
	shown := Cut(title, max(room, 1))
	head := len(shown)
	if strings.HasPrefix(shown, name) {
		head = len(name)
	}
	line := Line{sign, {Role: Plain, Text: shown[:head]}, {Role: Faint, Text: shown[head:] + lasted}, {Role: sign.Role, Text: outcome}}
	if tool.Status != messages.OK {
		summary = strings.TrimPrefix(summary, "Error: ") // the outcome already says that the call failed
	}
	said := open && (b.kind == messages.Answers || strings.HasPrefix(oneLine(b.text.String()), oneLine(tool.Summary))) || b.Raw && tool.Status == messages.ToolError // the summary is already visible
	if left := room - Width(title) - 3; left > 8 && summary != "" && tool.Status != "" && !said {
		line = append(line, Span{Role: Faint, Text: " · " + cutWord(summary, left)})
	}
	line = slices.DeleteFunc(line, func(span Span) bool { return span.Text == "" })
	if line.Width() > width {
		return Fold(line, width)[0]
	}
	return line
}

// describeOutcome returns a symbol for a call's outcome, and a description. The description is
// empty if the call succeeded.
func (b *Block) describeOutcome(width int) (sign Span, outcome string) {
	tool := b.Tool
	sign, outcome = Span{Role: Problem, Text: "✗ "}, " · "+safe(tool.Status.DescribeEnd(tool.Exit, tool.Job))
	switch {
	case tool.Status == "":
		return Span{Role: Assistant, Text: "◦ "}, " · running"
	case b.own && tool.Status == messages.ToolError:
		outcome = " · " + oneLine(tool.Summary)
	case tool.Status == messages.OK && tool.Job != "": // the outcome of the job is unknown
		if sign = (Span{Role: Assistant, Text: "» "}); width < roomForWords {
			outcome = " · job " + safe(tool.Job)
		}
	case tool.Status == messages.OK && tool.Exit == 0: // a nonzero exit code means failure
		return Span{Role: Added, Text: "✓ "}, ""
	case tool.Status == messages.Denied, tool.Status == messages.Interrupted:
		sign = Span{Role: System, Text: "✗ "}
	}
	return sign, outcome
}

// roomForWords is the minimum width at which a headline describes a started job in words.
const roomForWords = 72

// minShownTime is the shortest duration that the headline of an ended call shows.
const minShownTime = 100 * time.Millisecond

// Elapsed returns a duration in readable form: 0.3s, 12s, 3m04s.
func Elapsed(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < 10*time.Second && d%time.Second != 0:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
	return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}
