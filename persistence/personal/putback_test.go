package personal

import (
	"strings"
	"testing"
)

func TestAChangeIsFoundAgain(t *testing.T) {
	for name, row := range map[string]struct {
		edit   Edit
		pieces string
		at     int
		found  bool
	}{
		"where it was":                   {Edit{At: 1, Is: []string{"b"}}, "a b c", 1, true},
		"twice, and where it was":        {Edit{At: 2, Is: []string{"b"}}, "b a b", 2, true},
		"moved":                          {Edit{At: 0, Is: []string{"b", "c"}}, "x a b c", 2, true},
		"moved to two places":            {Edit{At: 1, Is: []string{"b"}}, "b x b", 0, false},
		"gone":                           {Edit{At: 1, Is: []string{"b"}}, "a x c", -1, false},
		"half of it":                     {Edit{At: 1, Is: []string{"b", "c"}}, "a b x", -1, false},
		"half of it at the end":          {Edit{At: 1, Is: []string{"b", "c"}}, "a b", -1, false},
		"of another document":            {Edit{At: -1, Is: []string{"b"}}, "a b", 1, true},
		"taken away, behind its front":   {Edit{At: 9, Front: "a", Behind: "c"}, "x a y c", 2, true},
		"taken away, first":              {Edit{At: 9, Front: "x", Behind: "c"}, "c", 0, true},
		"taken away, in front of behind": {Edit{At: 9, Front: "gone", Behind: "c"}, "x y c z", 2, true},
		"taken away, among strangers":    {Edit{At: 1, Front: "gone", Behind: "too"}, "x y", 1, true},
		"taken away, and all others too": {Edit{At: 3, Front: "gone"}, "x", 1, true},
		"taken away from a calendar":     {Edit{Document: "calendar", At: 9, Front: "gone"}, "BEGIN e END", 2, true},
		"an empty neighbour is none":     {Edit{At: 0}, "a b", 0, true},
	} {
		at, found := row.edit.findPlace(strings.Fields(row.pieces), row.edit.Is)
		if at != row.at || found != row.found {
			t.Errorf("%s: at %d, %v", name, at, found)
		}
	}
}
