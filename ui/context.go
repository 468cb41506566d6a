package ui

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"marvin/messages"
)

// ContextTable returns a table of the parts of a context window. All tools share one row. All
// system parts without a file share another row. Every other part has its own row.
func ContextTable(parts []messages.ContextPart) string {
	var rows []messages.ContextPart
	total, sums, at := 0, map[string]int{}, map[string]int{}
	for _, part := range parts {
		total += part.Tokens
		switch {
		case part.Kind == "tool", part.Kind == "system" && part.Path == "":
			if _, there := sums[part.Kind]; !there {
				at[part.Kind] = len(rows)
				rows = append(rows, messages.ContextPart{Kind: part.Kind})
			}
			sums[part.Kind]++
			sum := &rows[at[part.Kind]]
			sum.Tokens += part.Tokens
			sum.Name = fmt.Sprintf("%d %s", sums[part.Kind], map[string]string{"system": "sections: rules, date, preferences, …", "tool": "tools"}[part.Kind])
			sum.State = part.State
		default:
			rows = append(rows, part)
		}
	}
	width, wide := 0, 0
	for _, row := range rows {
		width, wide = max(width, min(48, uniseg.StringWidth(row.Name))), max(wide, len(row.Kind))
	}
	var text strings.Builder
	fmt.Fprintf(&text, "In the window, about %s tokens:\n", Grouped(total))
	for _, row := range rows {
		state := row.State
		if row.Why != "" {
			state += ": " + row.Why
		}
		fmt.Fprintf(&text, "%8s  %-*s  %s%s  %s\n", Grouped(row.Tokens), wide, row.Kind, row.Name, strings.Repeat(" ", max(0, width-uniseg.StringWidth(row.Name))), state)
	}
	return strings.TrimRight(text.String(), "\n")
}

// Grouped returns a number with commas between groups of three digits.
func Grouped(n int) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
