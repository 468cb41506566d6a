package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/helptext"
	"marvin/providers"
)

// This file generates the manual page from the flags and commands. Parser.WriteManPage of go-flags
// omits arguments and choices, and prints the current date.

type manCommand struct{}

// Run prints marvin(1).
func (manCommand) Run(_ context.Context, world cli.World, _ cli.Options) error {
	if _, err := io.WriteString(world.Stdout, manualPage()); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

func manualPage() string {
	parser := newParser(&commands{})
	var page strings.Builder
	fmt.Fprintf(&page, ".TH MARVIN 1 \"\" \"marvin %s\"\n", roff(version))
	fmt.Fprintf(&page, ".SH NAME\nmarvin \\- %s\n", roff(parser.ShortDescription))
	page.WriteString(".SH SYNOPSIS\n\\fBmarvin\\fR [\\fIOPTIONS\\fR] [\\fIPROMPT\\fR...]\n.br\n\\fBmarvin\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n")
	fmt.Fprintf(&page, ".SH DESCRIPTION\n%s\n", roff(parser.LongDescription))
	page.WriteString(".PP\nOnly the first word can name a command; everything else is the prompt.\n.SH OPTIONS\n")
	writeOptions(&page, parser.Command)
	page.WriteString(".SH COMMANDS\n")
	for _, command := range parser.Commands() {
		writeCommand(&page, "marvin", command)
	}
	_, list, _ := strings.Cut(examples, "\n  ")
	fmt.Fprintf(&page, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(strings.TrimRight(strings.ReplaceAll(list, "\n  ", "\n"), "\n")))
	var keys []string
	for _, provider := range providers.Catalog {
		if provider.KeyVar != "" {
			keys = append(keys, "\\fB"+provider.KeyVar+"\\fR")
		}
	}
	fmt.Fprintf(&page, manualEnd, strings.Join(keys, ", "))
	return page.String()
}

// manualEnd contains the sections that are not generated from flags. docs/configuration.md lists
// all files and variables.
const manualEnd = `.SH FILES
.TP
\fI~/.config/marvin/config.yaml\fR
settings: providers, permissions, the sandbox, keys, colors
.TP
\fI~/.config/marvin/profiles/\fR
preferences, places and calendars, by profile
.TP
\fI~/.local/share/marvin/\fR
conversations and memory
.SH ENVIRONMENT
.TP
\fBLLM_PROVIDER\fR
the default for \fB\-\-provider\fR
.TP
%s
keys of providers
.TP
\fBMARVIN_READONLY=1\fR
no tool that writes or sends
.PP
\fBmarvin doctor\fR says what is set, what is missing and what would help.
.SH EXIT STATUS
0 if the answer, or the work of the command, is complete; else 1, and standard error says why.
`

func writeCommand(page *strings.Builder, before string, command *flags.Command) {
	if command.Hidden {
		return
	}
	name := before + " " + command.Name
	if len(command.Commands()) == 0 || command.LongDescription != "" {
		fmt.Fprintf(page, ".SS %s\n\\fB%s\\fR", roff(strings.TrimPrefix(name, "marvin ")), roff(name))
		if len(command.Options()) > 0 {
			page.WriteString(" [\\fIOPTIONS\\fR]")
		}
		for _, argument := range command.Args() {
			form := " [\\fI%s\\fR]"
			if argument.Required > 0 {
				form = " \\fI%s\\fR"
			}
			fmt.Fprintf(page, form, roff(argument.Name))
		}
		fmt.Fprintf(page, "\n.PP\n%s\n", roff(command.ShortDescription))
		about, example, _ := strings.Cut(command.LongDescription, "\n\nExamples:\n")
		if about != "" {
			fmt.Fprintf(page, ".PP\n%s\n", roff(about))
		}
		for _, argument := range command.Args() {
			if argument.Description != "" {
				fmt.Fprintf(page, ".TP\n\\fI%s\\fR\n%s\n", roff(argument.Name), roff(helptext.Sentences(argument.Description)))
			}
		}
		writeOptions(page, command)
		if example != "" {
			fmt.Fprintf(page, ".PP\nExamples:\n.PP\n.nf\n%s\n.fi\n", roff(example))
		}
	}
	for _, below := range command.Commands() {
		writeCommand(page, name, below)
	}
}

func writeOptions(page *strings.Builder, command *flags.Command) {
	options := command.Options()
	for _, group := range command.Groups() {
		options = append(options, group.Options()...)
	}
	for _, option := range options {
		if option.Hidden {
			continue
		}
		page.WriteString(".TP\n")
		if option.ShortName != 0 {
			fmt.Fprintf(page, "\\fB\\-%c\\fR, ", option.ShortName)
		}
		fmt.Fprintf(page, "\\fB\\-\\-%s\\fR", roff(option.LongName))
		switch {
		case len(option.Choices) > 0:
			fmt.Fprintf(page, " \\fI%s\\fR", roff(strings.Join(option.Choices, "|")))
		case option.OptionalArgument:
			fmt.Fprintf(page, " [\\fI%s\\fR]", roff(option.ValueName))
		case option.ValueName != "":
			fmt.Fprintf(page, " \\fI%s\\fR", roff(option.ValueName))
		}
		fmt.Fprintf(page, "\n%s", roff(helptext.Sentences(option.Description)))
		if len(option.Default) > 0 {
			fmt.Fprintf(page, " (%s if not given)", roff(strings.Join(option.Default, ", ")))
		}
		page.WriteString("\n")
	}
}

// roff escapes text for troff. Hyphens and dashes stay as they are, and no line is mistaken for a
// troff request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
