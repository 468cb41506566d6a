// Package helptext writes command-line help. Each option, argument and command takes one line,
// whatever the width of the terminal. The help from go-flags wraps descriptions into a narrow
// column, and repeats the program's options in the help for each command.
package helptext

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/jessevdk/go-flags"
)

// Width is the maximum width of a line of help, in columns.
const Width = 80

// widest is the maximum width of the name column. Longer names push descriptions to the right.
const widest = 24

// First returns the first line of a description. Help shows only that line, and the manual page
// shows all lines.
func First(description string) string {
	first, _, _ := strings.Cut(description, "\n")
	return first
}

// Sentences formats a description for the manual page. It replaces the first line break with a
// period and a space.
func Sentences(description string) string { return strings.Replace(description, "\n", ". ", 1) }

// Write writes the help for the program, or for the active command if there is one.
func Write(out io.Writer, parser *flags.Parser) {
	chain := []*flags.Command{parser.Command}
	for next := parser.Active; next != nil; next = next.Active {
		chain = append(chain, next)
	}
	var text strings.Builder
	if len(chain) == 1 {
		fmt.Fprintf(&text, "Usage: %s %s\n\n%s\n", parser.Name, parser.Usage, wrapped(parser.LongDescription))
	} else {
		writeUsage(&text, chain)
	}
	last := chain[len(chain)-1]
	section(&text, "Arguments", arguments(last))
	section(&text, "Commands", below(last))
	section(&text, "Options", options(last))
	if len(chain) > 1 {
		fmt.Fprintf(&text, "\n%s --help lists the options that all commands accept.\n", parser.Name)
	}
	io.WriteString(out, text.String())
}

func writeUsage(text *strings.Builder, chain []*flags.Command) {
	last := chain[len(chain)-1]
	text.WriteString("Usage:")
	for _, command := range chain {
		text.WriteString(" " + command.Name)
	}
	if len(options(last)) > 0 {
		text.WriteString(" [OPTIONS]")
	}
	if len(last.Commands()) > 0 {
		text.WriteString(" COMMAND")
	}
	for _, argument := range last.Args() {
		form := " [%s]"
		if argument.Required > 0 {
			form = " %s"
		}
		fmt.Fprintf(text, form, argument.Name)
	}
	text.WriteString("\n\n" + wrapped(sentence(last.ShortDescription)) + "\n")
	long, examples, _ := strings.Cut(last.LongDescription, "Examples:\n")
	if long = strings.TrimSpace(long); long != "" {
		text.WriteString("\n" + wrapped(long) + "\n")
	}
	if examples != "" {
		text.WriteString("\nExamples:\n" + strings.TrimRight(examples, "\n") + "\n")
	}
}

func sentence(short string) string {
	if short == "" {
		return ""
	}
	return strings.ToUpper(short[:1]) + short[1:] + "."
}

// row is a line of a section.
type row struct{ name, about string }

func section(text *strings.Builder, title string, rows []row) {
	if len(rows) == 0 {
		return
	}
	room := 0
	for _, one := range rows {
		if width := utf8.RuneCountInString(one.name); width <= widest {
			room = max(room, width)
		}
	}
	text.WriteString("\n" + title + ":\n")
	for _, one := range rows {
		text.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s  %s", room, one.name, one.about), " ") + "\n")
	}
}

func arguments(command *flags.Command) (rows []row) {
	for _, one := range command.Args() {
		if one.Description != "" {
			rows = append(rows, row{one.Name, First(one.Description)})
		}
	}
	return rows
}

func below(command *flags.Command) (rows []row) {
	for _, one := range command.Commands() {
		if !one.Hidden {
			rows = append(rows, row{one.Name, First(one.ShortDescription)})
		}
	}
	return rows
}

func options(command *flags.Command) (rows []row) {
	all := command.Options()
	for _, group := range command.Groups() {
		all = append(all, group.Options()...)
	}
	for _, one := range all {
		if !one.Hidden {
			rows = append(rows, row{formatOption(one), First(one.Description)})
		}
	}
	return rows
}

// formatOption formats the flags of an option and the values that the option accepts.
func formatOption(option *flags.Option) string {
	typed := "    --" + option.LongName
	switch {
	case option.ShortName != 0 && option.LongName != "":
		typed = fmt.Sprintf("-%c, --%s", option.ShortName, option.LongName)
	case option.ShortName != 0:
		typed = fmt.Sprintf("-%c", option.ShortName)
	}
	switch {
	case len(option.Choices) > 0:
		return typed + "=" + strings.Join(option.Choices, "|")
	case option.OptionalArgument:
		return typed + "[=" + option.ValueName + "]"
	case option.ValueName != "":
		return typed + "=" + option.ValueName
	}
	return typed
}

// wrapped breaks lines that are longer than Width. Indented lines, which are examples, remain
// unchanged.
func wrapped(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, " ") {
			lines = append(lines, line)
			continue
		}
		now := ""
		for _, word := range strings.Fields(line) {
			if now != "" && utf8.RuneCountInString(now+" "+word) > Width {
				lines, now = append(lines, now), ""
			}
			now = strings.TrimPrefix(now+" "+word, " ")
		}
		lines = append(lines, now)
	}
	return strings.Join(lines, "\n")
}
