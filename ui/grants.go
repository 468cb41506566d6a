package ui

import (
	"slices"
	"strings"

	"marvin/messages"
)

// GrantChange describes to the user how the grants have changed. A key or an answer can change the
// grants, and nothing else on the screen shows the change.
func GrantChange(before, after []messages.Grant) string {
	list := func(these, without []messages.Grant) string {
		var covers []string
		for _, grant := range these {
			if !slices.Contains(without, grant) {
				covers = append(covers, grant.Covers)
			}
		}
		return strings.Join(covers, "; ")
	}
	var lines []string
	if more := list(after, before); more != "" {
		lines = append(lines, "Marvin no longer asks about: "+more+" (to undo this, type /permissions)")
	}
	if less := list(before, after); less != "" {
		lines = append(lines, "Asked about again: "+less)
	}
	return strings.Join(lines, "\n")
}
