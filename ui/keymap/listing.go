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
		if !m.supports(action) {
			continue
		}
		if action.Place != place {
			place = action.Place
			text.WriteString("\nWhile reading the conversation (" + m.First("read") + "):\n")
		}
		keys := cmp.Or(strings.ReplaceAll(m.keys[i], " ", ", "), "no key")
		fmt.Fprintf(&text, "%s%s%s\n", pad(keys, 22), pad(action.Name, 17), action.What)
	}
	text.WriteString("\nTo choose other keys for an action, add them to config.yaml, such as  keys: {search: [Ctrl-R, F3]}")
	return text.String()
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-uniseg.StringWidth(text), 1))
}
