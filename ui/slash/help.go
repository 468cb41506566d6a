package slash

import (
	"fmt"
	"strings"

	"marvin/ui/view"
)

// About tells all about a command, by any of its names, with its mark or without.
func About(name string) (text string, ok bool) {
	entry, ok := Find(name)
	for _, mark := range []string{"/", "!"} {
		if !ok {
			entry, ok = FindMeant(mark + name)
		}
	}
	if !ok {
		entry, ok = FindMeant(name)
	}
	return Explained(entry), ok
}

// The columns of the table of commands, for a terminal that may be as narrow as 80.
const (
	helpNames = 14 // cells of a name
	helpWidth = 78 // cells of a line
)

// List is the table of commands in lines, group by group.
func List() string {
	var text strings.Builder
	group := Group("")
	for _, entry := range Table {
		if entry.Group != group {
			group = entry.Group
			fmt.Fprintf(&text, "%s%s:\n", strings.ToUpper(string(group[:1])), group[1:])
		}
		text.WriteString(Described(entry.Name, entry.Help) + "\n")
	}
	text.WriteString("/help NAME shows the arguments of a command, with examples.\n")
	text.WriteString("Everything else goes to the model, and so does a line that begins with a space.")
	return text.String()
}

// Described is a name and what is said of it, in a column of its own.
func Described(name, says string) string {
	gap := strings.Repeat(" ", max(helpNames-view.Width(name), 2))
	var lines []string
	for _, row := range view.Hang(view.Span{Text: "  " + name + gap + says}, helpWidth) {
		lines = append(lines, strings.TrimRight(row.String(), " "))
	}
	return strings.Join(lines, "\n")
}

// Explained describes a command, in lines: arguments, other names, examples.
func Explained(entry Entry) string {
	text := strings.TrimSpace(entry.Name+" "+entry.Arguments) + ": " + entry.Help
	if len(entry.Aliases) > 0 {
		text += "\nAlso: " + strings.Join(entry.Aliases, ", ")
	}
	if len(entry.Examples) > 0 {
		text += "\nFor example: " + strings.Join(entry.Examples, "   ")
	}
	return text
}
