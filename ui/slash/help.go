package slash

import (
	"fmt"
	"strings"

	"marvin/ui/view"
)

// HelpFor returns the full help for the command with the given name. The leading "/" or "!" is
// optional.
func HelpFor(name string) (text string, ok bool) {
	entry, ok := Find(name)
	for _, mark := range []string{"/", "!"} {
		if !ok {
			entry, ok = FindMeant(mark + name)
		}
	}
	if !ok {
		entry, ok = FindMeant(name)
	}
	return EntryHelp(entry), ok
}

// These widths are in cells. The table of commands fits a terminal that is 80 cells wide.
const (
	helpNames = 14 // width of the column of names
	helpWidth = 78 // width of a line
)

// List returns the table of commands, group by group.
func List() string {
	var text strings.Builder
	group := Group("")
	for _, entry := range Table {
		if entry.Group != group {
			group = entry.Group
			fmt.Fprintf(&text, "%s%s:\n", strings.ToUpper(string(group[:1])), group[1:])
		}
		text.WriteString(FormatRow(entry.Name, entry.Help) + "\n")
	}
	text.WriteString("/help NAME shows the arguments of a command, with examples.\n")
	text.WriteString("Everything else goes to the model, and so does a line that begins with a space.")
	return text.String()
}

// FormatRow returns a name and its description, aligned in columns.
func FormatRow(name, says string) string {
	gap := strings.Repeat(" ", max(helpNames-view.Width(name), 2))
	var lines []string
	for _, row := range view.WrapAligned(view.Span{Text: "  " + name + gap + says}, helpWidth) {
		lines = append(lines, strings.TrimRight(row.String(), " "))
	}
	return strings.Join(lines, "\n")
}

// EntryHelp returns the help for a command, with its arguments, other names and examples.
func EntryHelp(entry Entry) string {
	text := strings.TrimSpace(entry.Name+" "+entry.Arguments) + ": " + entry.Help
	if len(entry.Aliases) > 0 {
		text += "\nAlso: " + strings.Join(entry.Aliases, ", ")
	}
	if len(entry.Examples) > 0 {
		text += "\nFor example: " + strings.Join(entry.Examples, "   ")
	}
	return text
}
