package ui

import (
	"testing"

	"marvin/messages"
)

func TestTheTableOfAWindow(t *testing.T) {
	got := ContextTable([]messages.ContextPart{
		{Kind: "system", Name: "rules", Tokens: 1000, State: "cached"},
		{Kind: "system", Name: "AGENTS.md", Path: "/p/AGENTS.md", Tokens: 500, State: "loaded"},
		{Kind: "system", Name: "date", Tokens: 34, State: "cached"},
		{Kind: "system", Name: "b.md", Path: "/p/b.md", State: "left out", Why: "it is too large"},
		{Kind: "tool", Name: "look", Tokens: 700, State: "sent"},
		{Kind: "tool", Name: "read", Tokens: 800, State: "sent"},
		{Kind: "history", Name: "grüße", Tokens: 1234567, State: "sent"},
	})
	const want = `In the window, about 1,237,601 tokens:
   1,034  system   2 sections: rules, date, preferences, …  cached
     500  system   AGENTS.md                                loaded
       0  system   b.md                                     left out: it is too large
   1,500  tool     2 tools                                  sent
1,234,567  history  grüße                                    sent`
	if got != want {
		t.Errorf("%s\n\nwant\n%s", got, want)
	}
}
