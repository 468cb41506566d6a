package tools

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// ShowArgs is the arguments of a call for a person who decides about it: all of them, a
// line each, texts of several lines at the end and as they are. What is no object is
// shown as it was written.
func ShowArgs(args json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil || len(fields) == 0 {
		return Visible(string(args))
	}
	var short, long []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var text string
		if json.Unmarshal(fields[name], &text) != nil || strings.TrimSpace(text) != text && !strings.Contains(text, "\n") {
			text = string(fields[name]) // in quotes, so that blanks at its ends are seen
		}
		if !strings.Contains(text, "\n") {
			short = append(short, name+": "+text)
			continue
		}
		long = append(long, name+":\n  "+strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  "))
	}
	return Visible(strings.Join(append(short, long...), "\n"))
}
