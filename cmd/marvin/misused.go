package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/helptext"
	"marvin/ui/slash"
)

// This file turns the errors from go-flags into sentences for users. Each sentence says what is
// wrong and what to write instead, and names a help page.

// misuse describes an error in a command line.
type misuse struct {
	problem *flags.Error
	parser  *flags.Parser
	command *flags.Command // the active subcommand, or parser.Command if there is none
	name    string         // for example "marvin" or "marvin sessions show"
	args    []string
}

func explainMisuse(problem *flags.Error, parser *flags.Parser, args []string) error {
	wrong := locateMisuse(parser, args)
	wrong.problem = problem
	return fmt.Errorf("%s (%s)", wrong.sentence(), wrong.page())
}

// locateMisuse finds the command in which parsing stopped. The errors from go-flags do not name the
// command.
func locateMisuse(parser *flags.Parser, args []string) misuse {
	wrong := misuse{parser: parser, command: parser.Command, name: "marvin", args: args}
	for active := parser.Active; active != nil; active = active.Active {
		wrong.command, wrong.name = active, wrong.name+" "+active.Name
	}
	return wrong
}

// page returns a hint that says how to get help for the command.
func (m misuse) page() string {
	if m.command == m.parser.Command {
		return "to list the options, run marvin --help"
	}
	return "for more, run marvin help" + strings.TrimPrefix(m.name, "marvin")
}

func (m misuse) sentence() string {
	switch m.problem.Type {
	case flags.ErrUnknownFlag:
		return m.unknownOption()
	case flags.ErrInvalidChoice:
		return m.choice()
	case flags.ErrExpectedArgument:
		return m.noValue()
	case flags.ErrNoArgumentForBool:
		name, _ := m.option()
		return name + " takes no value; leave the value out"
	case flags.ErrRequired:
		return m.missing()
	case flags.ErrUnknownCommand:
		return m.unknownCommand()
	case flags.ErrCommandRequired:
		return m.name + " needs a command: " + m.name + " " + cli.Alternatives(m.subcommands())
	case flags.ErrMarshal:
		return m.wrongKind()
	}
	return m.problem.Message
}

// option finds the option that the error message names. For an option with two names, it returns
// the long name.
func (m misuse) option() (name string, known *flags.Option) {
	before := "flag `"
	if m.problem.Type == flags.ErrInvalidChoice { // the value is quoted before the option
		before = "for option `"
	}
	name = m.problem.Message
	if at := strings.LastIndex(name, before); at >= 0 {
		name, _, _ = strings.Cut(name[at+len(before):], "'")
	}
	if _, long, both := strings.Cut(name, ", "); both {
		name = long
	}
	return name, m.command.FindOptionByLongName(strings.TrimPrefix(name, "--"))
}

func (m misuse) optionValue(name string, known *flags.Option) (value string) {
	forms := []string{name}
	if known != nil && known.ShortName != 0 {
		forms = append(forms, "-"+string(known.ShortName))
	}
	for i, arg := range m.args {
		for _, form := range forms {
			if joined, is := strings.CutPrefix(arg, form+"="); is {
				value = joined
			} else if arg == form && i+1 < len(m.args) {
				value = m.args[i+1]
			} else if joined, is := strings.CutPrefix(arg, form); is && len(form) == 2 {
				value = joined
			}
		}
	}
	return value
}

func (m misuse) choice() string {
	name, known := m.option()
	if known == nil {
		return m.problem.Message
	}
	given := m.optionValue(name, known)
	return fmt.Sprintf("%s takes %s, not %q%s", name, cli.Alternatives(known.Choices), given, cli.DidYouMean("", slash.Suggest(given, known.Choices)))
}

func (m misuse) noValue() string {
	name, known := m.option()
	if known == nil {
		return m.problem.Message
	}
	takes := cmp.Or(known.ValueName, "VALUE")
	if len(known.Choices) > 0 {
		takes = strings.Join(known.Choices, "|")
	}
	if _, behind, found := strings.Cut(m.problem.Message, "but got option `"); found {
		return fmt.Sprintf("%s needs a value, but %s is an option; write %s=%s", name, strings.TrimSuffix(behind, "'"), name, takes)
	}
	return fmt.Sprintf("%s needs a value: %s %s, %s", name, name, takes, helptext.First(known.Description))
}

// formsOf describes the valid values of an option. The keys are Go types.
var formsOf = map[string]string{
	"float64": "a number, such as 2.50", "int": "a whole number, such as 20", "time.Duration": "a time, such as 90s or 10m",
	"cli.ConversationName": "the name of a conversation, such as release", "remote.StreamName": "the name of a fleet, such as marvin",
}

// wrongKind explains that the value of an option has the wrong type.
func (m misuse) wrongKind() string {
	name, known := m.option()
	_, rest, _ := strings.Cut(m.problem.Message, "(expected ")
	kind, _, _ := strings.Cut(rest, ")")
	form := formsOf[kind]
	if form == "" || known == nil {
		return m.problem.Message
	}
	return fmt.Sprintf("%s takes %s, not %q", name, form, m.optionValue(name, known))
}

func (m misuse) missing() string {
	usage, lacks := m.name, []string{}
	for _, option := range m.command.Options() {
		if option.Required {
			form := "--" + option.LongName + " " + option.ValueName
			usage += " " + form
			if !option.IsSet() {
				lacks = append(lacks, form+" ("+helptext.First(option.Description)+")")
			}
		}
	}
	for _, arg := range m.command.Args() {
		if arg.Required < 0 {
			usage += " [" + arg.Name + "]"
			continue
		}
		usage += " " + arg.Name
		if strings.Contains(m.problem.Message, "`"+arg.Name+"`") || strings.Contains(m.problem.Message, "`"+arg.Name+" (") {
			lack := arg.Name
			if what, _, _ := strings.Cut(helptext.First(arg.Description), ": "); what != "" {
				lack += " (" + what + ")"
			}
			lacks = append(lacks, lack)
		}
	}
	sentence := fmt.Sprintf("%s needs %s; type %s", m.name, strings.Join(lacks, " and "), usage)
	if example := firstExample(m.command.LongDescription); example != "" {
		sentence += ", such as: " + example
	}
	return sentence
}

// firstExample returns the first example in a command's description, or "" if there is none.
func firstExample(description string) string {
	_, examples, _ := strings.Cut(description, "Example")
	for line := range strings.Lines(examples) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "marvin ") {
			return line
		}
	}
	return ""
}

func (m misuse) unknownCommand() string {
	_, word, _ := strings.Cut(m.problem.Message, "`")
	word, _, _ = strings.Cut(word, "'")
	names := m.subcommands()
	near := slash.Suggest(word, names)
	if len(near) > 0 {
		return fmt.Sprintf("there is no %s %s%s", m.name, word, cli.DidYouMean(m.name+" ", near))
	}
	return fmt.Sprintf("there is no %s %s; type %s %s", m.name, word, m.name, cli.Alternatives(names))
}

// subcommands returns the visible subcommands, in the order in which the help lists them.
func (m misuse) subcommands() (names []string) {
	for _, below := range m.command.Commands() {
		if !below.Hidden {
			names = append(names, below.Name)
		}
	}
	return names
}
