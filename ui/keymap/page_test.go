package keymap

import (
	"fmt"
	"strings"
)

// Page returns the table for docs/keys.md, in Markdown.
func Page() string {
	var text strings.Builder
	list := func(heading string, place Place, surface Surface) {
		text.WriteString("\n## " + heading + "\n\n| keys | action | what it does |\n|---|---|---|\n")
		for _, action := range Table {
			if keys := action.KeysOn(surface); action.Place == place && keys != "" {
				fmt.Fprintf(&text, "| %s | `%s` | %s |\n", quoted(keys), action.Name, action.What)
			}
		}
	}
	list("On the full screen", Typing, Screen)
	list("While reading the conversation", Reading, Screen)
	list("In plain mode", Typing, Lines)
	text.WriteString("\n## Keys that you cannot change\n\n| where | keys | what they do |\n|---|---|---|\n")
	for _, each := range fixed {
		fmt.Fprintf(&text, "| %s | %s | %s |\n", each.Where, each.Keys, each.What)
	}
	return text.String()
}

func quoted(keys string) string { return "`" + strings.Join(strings.Fields(keys), "` `") + "`" }
