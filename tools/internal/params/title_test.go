package params

import (
	"strings"
	"testing"
)

// The title of a call is its tool and the first three informative parameters.
func TestTheTitleOfACall(t *testing.T) {
	of := &Parameters{tool: "do", names: []string{"a", "b", "c", "d", "in_short"}}
	long := strings.Repeat("x", 61)
	for _, row := range []struct {
		given map[string]any
		want  string
	}{
		{nil, "do"},
		{map[string]any{"other": "x", "d": "four"}, "do four"},
		{map[string]any{"d": "4", "c": "3", "b": "2", "a": "1"}, "do 1 2 3"},
		{map[string]any{"in_short": true, "b": "2"}, "do 2 in short"},
		{map[string]any{"in_short": false, "a": true, "b": "2"}, "do a 2"},
		{map[string]any{"a": " \n ", "b": "2", "c": "3", "d": "4"}, "do 2 3 4"},
		{map[string]any{"a": "x\ny", "b": "x\ny", "c": "3"}, "do x y 3"},
		{map[string]any{"a": "1", "b": long, "c": long[1:]}, "do 1 " + long[1:]},
		{map[string]any{"a": "\u202e", "b": 2.5}, "do ‹U+202E› 2.5"},
	} {
		if got := of.title(row.given); got != row.want {
			t.Errorf("%v: %q, not %q", row.given, got, row.want)
		}
	}
}
