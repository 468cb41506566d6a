package accounts

import (
	"testing"

	"marvin/providers"
)

func TestModelListEntry(t *testing.T) {
	sees, not, cached, written := true, false, 0.1, 3.75
	for _, test := range []struct {
		row         ModelOffer
		note, lines string
	}{
		{ModelOffer{}, "", "price: unknown (see Prices in \"marvin help models\")\nwindow: not known  sees pictures: not known  takes tools: not known\nthinks: not known"},
		{ModelOffer{Price: &providers.Price{}, Window: 999}, "free · 999", "price: $0 in, $0 out, for a million tokens\nwindow: 999 tokens  sees pictures: not known  takes tools: not known\nthinks: not known"},
		{
			ModelOffer{Price: &providers.Price{Input: 3, Output: 15.5, Cached: &cached, Written: &written}, Window: 1000, Sees: &sees, Tools: &not, Thinks: &sees, Efforts: []providers.Effort{"low", "high"}, Roles: []string{"plan", "small"}},
			"$3/$15.5 · 1k · sees · thinks", "price: $3 in, $15.5 out, $0.1 from the cache, $3.75 into it, for a million tokens\nwindow: 1k tokens  sees pictures: yes  takes tools: no\nthinks: yes (low high)  roles: plan, small",
		},
		{ModelOffer{Price: &providers.Price{Output: 1}, Sees: &not, Tools: &sees, Thinks: &not, Window: 200_000}, "$0/$1 · 200k", "price: $0 in, $1 out, for a million tokens\nwindow: 200k tokens  sees pictures: no  takes tools: yes\nthinks: no"},
	} {
		if note := test.row.Note(); note != test.note {
			t.Errorf("in short %q, want %q", note, test.note)
		}
		if lines := test.row.Explain(); lines != test.lines {
			t.Errorf("in lines\n%s\nwant\n%s", lines, test.lines)
		}
	}
}
