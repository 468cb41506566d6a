package command

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// About tells all about a command, by any of its names, with its mark or without.
func About(name string) (text string, ok bool) {
	entry, ok := Find(name)
	for _, mark := range []string{"/", "!"} {
		if !ok {
			entry, ok = Find(mark + name)
		}
	}
	return about(entry), ok
}

// List is the table of commands in lines.
func List() string {
	width := 0
	for _, entry := range Table {
		width = max(width, uniseg.StringWidth(usageOf(entry)))
	}
	var text strings.Builder
	text.WriteString("Commands:\n")
	for _, entry := range Table {
		fmt.Fprintf(&text, "  %-*s  %s\n", width, usageOf(entry), entry.Help)
	}
	text.WriteString("Everything else is for the model. A line that begins with a space always is.")
	return text.String()
}

func usageOf(entry Entry) string { return strings.TrimSpace(entry.Name + " " + entry.Arguments) }

func about(entry Entry) string {
	text := usageOf(entry) + ": " + entry.Help
	if len(entry.Aliases) > 0 {
		text += "\nAlso: " + strings.Join(entry.Aliases, ", ")
	}
	if len(entry.Examples) > 0 {
		text += "\nFor example: " + strings.Join(entry.Examples, "   ")
	}
	return text
}
