package keymap

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// Listing returns the table in readable form, with the keys in effect.
func (m *Map) Listing() string {
	var text strings.Builder
	place := Typing
	for i, action := range Table {
		if !m.has(action) {
			continue
		}
		if action.Place != place {
			place = action.Place
			text.WriteString("\nWhile reading the conversation (" + m.First("read") + "):\n")
		}
		keys := cmp.Or(strings.ReplaceAll(m.keys[i], " ", ", "), "no key")
		fmt.Fprintf(&text, "%s%s%s\n", pad(keys, 22), pad(action.Name, 17), action.What)
	}
	text.WriteString("\nOther keys for an action: keys: in config.yaml, such as  keys: {search: [Ctrl-R, F3]}")
	return text.String()
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-uniseg.StringWidth(text), 1))
}

// Page returns the table for docs/keys.md, in Markdown.
func Page() string {
	var text strings.Builder
	list := func(heading string, place Place, surface Surface) {
		text.WriteString("\n## " + heading + "\n\n| keys | action | what it does |\n|---|---|---|\n")
		for _, action := range Table {
			if keys := action.On(surface); action.Place == place && keys != "" {
				fmt.Fprintf(&text, "| %s | `%s` | %s |\n", quoted(keys), action.Name, action.What)
			}
		}
	}
	list("On the full screen", Typing, Screen)
	list("While reading the conversation", Reading, Screen)
	list("In plain lines", Typing, Lines)
	text.WriteString("\n## Keys that stay as they are\n\n| where | keys | what they do |\n|---|---|---|\n")
	for _, each := range fixed {
		fmt.Fprintf(&text, "| %s | %s | %s |\n", each.Where, each.Keys, each.What)
	}
	return text.String()
}

func quoted(keys string) string { return "`" + strings.Join(strings.Fields(keys), "` `") + "`" }
