package view

import (
	"fmt"
	"strings"
	"time"

	"marvin/messages"
)

// call lays out a tool call: one line, and below it the result when it is open.
func (b *Block) call(width int, open bool, now time.Time) []Line {
	lines := b.gap([]Line{b.headline(width, now)})
	if len(b.Tool.Agents) > 0 && (open || b.Tool.Status == "") {
		lines = append(lines, b.agents(width)...)
	}
	if open {
		return append(lines, b.laid().flow.lay(b.text.String())...)
	}
	return lines
}

// headline is title, time and how it went; what does not fit is cut from the title.
func (b *Block) headline(width int, now time.Time) Line {
	tool := b.Tool
	role, outcome, took := Tool, safe(string(tool.Status)), tool.Took
	switch tool.Status {
	case "":
		outcome, took = "running", now.Sub(tool.Begun).Truncate(time.Second)
	case messages.OK:
		outcome = "ok"
	case messages.Denied, messages.Interrupted:
		role = System
	default:
		role = Problem
	}
	title, name, summary := oneLine(tool.Title), safe(tool.Name), oneLine(tool.Summary)
	if !strings.HasPrefix(title, name) {
		title = strings.TrimSpace(name + " " + title)
	}
	end := fmt.Sprintf(" · %s · %s", Elapsed(took), outcome)
	if tool.Past {
		end = " · " + outcome
	}
	room := width - Width("🔧 ") - Width(end)
	line := Line{{Tool, "🔧 " + Cut(title, max(room, 1))}, {role, Cut(end, max(width-4, 1))}}
	if left := room - Width(title) - 3; left > 8 && summary != "" && tool.Status != "" {
		line = append(line, Span{Faint, " · " + Cut(summary, left)})
	}
	if line.Width() > width {
		return Fold(line, width)[0]
	}
	return line
}

// Elapsed is a duration for people: 0.3s, 12s, 3m04s.
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
