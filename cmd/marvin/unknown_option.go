package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/messages/lists"
	"marvin/ui/slash"
)

func (m misuse) unknownOption() string {
	_, name, _ := strings.Cut(m.problem.Message, "`")
	name = strings.TrimSuffix(name, "'")
	dashes := "--"
	if len([]rune(name)) < 2 {
		dashes = "-"
	}
	name = dashes + name
	said := m.name + " has no option " + name
	if m.command == m.parser.Command {
		said = "there is no option " + name
	}
	if near := slash.Suggest(name, names(m.known())); len(near) > 0 {
		return said + cli.DidYouMean("", near)
	}
	if forms := m.takingValue(strings.TrimPrefix(name, "--")); len(forms) > 0 {
		return said + cli.DidYouMean("", forms)
	}
	if has := havingOption(newParser(&commands{}).Command, "marvin", name); len(has) > 0 && dashes == "--" {
		return said + "; " + someOf(has) + " has it"
	}
	if at := slices.IndexFunc(m.args, func(arg string) bool { return strings.HasPrefix(arg, "-") && strings.Contains(arg, " ") }); at >= 0 && m.name == "marvin start" {
		return said + "; a prompt that begins with a dash goes after --: marvin start -- " + strconv.Quote(m.args[at])
	}
	if m.command == m.parser.Command && len(m.args) > 1 && !strings.HasPrefix(m.args[0], "-") {
		said += "; if these words are a prompt, write -- before them: marvin -- " + strings.Join(m.args, " ")
	}
	return said
}

// takingValue returns the options that accept the value, in forms such as "--output json". General
// options are omitted unless the command's description contains the option with the value.
func (m misuse) takingValue(value string) (forms []string) {
	for _, option := range m.known() {
		form := "--" + option.LongName + " " + value
		own := slices.Contains(allOptions(m.command), option)
		if slices.Contains(option.Choices, value) && (own || strings.Contains(m.command.LongDescription, form)) {
			forms = append(forms, form)
		}
	}
	return forms
}

func (m misuse) known() []*flags.Option {
	if m.command == m.parser.Command {
		return allOptions(m.command)
	}
	own := allOptions(m.command)
	return append(own, slices.DeleteFunc(allOptions(m.parser.Command), func(option *flags.Option) bool { // both have --help
		return slices.ContainsFunc(own, func(other *flags.Option) bool { return other.LongName == option.LongName })
	})...)
}

// allOptions returns the visible options of a command, including those in its groups.
func allOptions(place *flags.Command) (options []*flags.Option) {
	options = slices.Clone(place.Options())
	for _, group := range place.Groups() {
		options = append(options, group.Options()...)
	}
	return slices.DeleteFunc(options, func(option *flags.Option) bool { return option.Hidden || option.LongName == "" })
}

func names(options []*flags.Option) []string {
	return lists.Map(options, func(option *flags.Option) string { return "--" + option.LongName })
}

func havingOption(place *flags.Command, name, option string) (has []string) {
	for _, below := range place.Commands() {
		if slices.Contains(names(allOptions(below)), option) && !below.Hidden {
			has = append(has, name+" "+below.Name)
		}
		has = append(has, havingOption(below, name+" "+below.Name, option)...)
	}
	return has
}

// someOf lists all names, or only the first three names if there are more than three.
func someOf(names []string) string {
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + ", for example,"
	}
	return cli.Alternatives(names)
}
