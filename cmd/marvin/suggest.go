package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/sessions"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/cmd/marvin/internal/helptext"
	"marvin/cmd/marvin/internal/host"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/tools"
	"marvin/ui/theme"
)

// suggest writes the completions of the last argument to stdout. The go-flags library completes
// commands, flags, and values whose type has a Complete method; suggest adds the values of flags
// and settings, and the parameters of tools. If suggest writes nothing, the shell completes file
// names. form is the value of GO_FLAGS_COMPLETION, without which go-flags completes nothing.
func suggest(args []string, form string, stdout io.Writer) error {
	if len(args) == 0 {
		args = []string{""}
	}
	parser := newParser(&commands{})
	var found []flags.Completion
	parser.CompletionHandler = func(items []flags.Completion) { found = items }
	if _, err := parser.ParseArgs(args); err != nil {
		return err
	}
	before, last := args[:len(args)-1], args[len(args)-1]
	switch option, prefix := asked(parser, before, last); {
	case option != nil:
		found = values(option, prefix, strings.TrimPrefix(last, prefix), before, found)
	case len(before) > 1 && before[0] == "tool" && !strings.HasPrefix(last, "-"):
		found = parameters(before[1], before[2:], last)
	case len(before) == 3 && before[0] == "config" && before[1] == "set":
		found = settingValues(before[2], last)
	case len(before) > 0 && parser.Find(before[0]) == nil && !strings.HasPrefix(last, "-"):
		found = nil // only the first word names a command
	}
	for _, item := range found {
		if form == "1" || item.Description == "" {
			fmt.Fprintln(stdout, item.Item)
		} else {
			fmt.Fprintf(stdout, "%s\t%s\n", item.Item, strings.Join(strings.Fields(helptext.First(item.Description)), " "))
		}
	}
	return nil
}

func settingValues(key, prefix string) (list []flags.Completion) {
	home, _ := os.UserHomeDir()
	for _, setting := range settings.All() {
		words := setting.Words
		if setting.Key != key {
			continue
		}
		if key == "theme" {
			own := settings.ThemeFiles{Home: cli.OpenHome(cli.World{Home: home, Getenv: os.Getenv, Now: time.Now})}
			words = slices.Concat(own.Names(), theme.Names())
			for _, plain := range host.PlainThemes {
				words = append(words, plain.Name)
			}
		}
		for _, word := range words {
			if strings.HasPrefix(word, prefix) {
				list = append(list, flags.Completion{Item: word})
			}
		}
	}
	return list
}

// asked determines the option whose value is being completed. If there is none, option is nil. For
// the last argument "--model=NAME", prefix is "--model=".
func asked(parser *flags.Parser, before []string, last string) (option *flags.Option, prefix string) {
	command := parser.Command
	for _, word := range before {
		if below := command.Find(word); below != nil {
			command = below
		}
	}
	name := last
	if flag, _, joined := strings.Cut(last, "="); joined && strings.HasPrefix(last, "--") {
		name, prefix = flag, flag+"="
	} else if len(before) > 0 {
		name = before[len(before)-1]
	}
	for _, place := range []*flags.Command{command, parser.Command} {
		long, isLong := strings.CutPrefix(name, "--")
		short, isShort := strings.CutPrefix(name, "-")
		switch {
		case isLong:
			option = place.FindOptionByLongName(long)
		case isShort && len(short) == 1:
			option = place.FindOptionByShortName(rune(short[0]))
		}
		if option != nil && option.ValueName != "" {
			return option, prefix
		}
	}
	return nil, ""
}

// values returns the completions for an option's value. By default, these are the completions that
// go-flags found.
func values(option *flags.Option, prefix, typed string, before []string, found []flags.Completion) []flags.Completion {
	var words []string
	switch {
	case len(option.Choices) > 0:
		words = option.Choices
	case option.LongName == "provider":
		for _, provider := range providers.Catalog {
			words = append(words, provider.Name)
		}
	case option.LongName == "effort":
		words = settings.Efforts
	case option.LongName == "model":
		words = modelNames(before)
	case slices.Contains([]string{"system-prompt", "append-system-prompt"}, option.LongName):
		return nil // any text
	case slices.Contains([]string{"resume", "fork", "session"}, option.LongName):
		return sessions.SessionNames(prefix, typed, option.LongName == "session")
	default:
		return found
	}
	list := cli.PrefixMatches(typed, words)
	for i := range list {
		list[i].Item = prefix + list[i].Item
	}
	return list
}

// modelNames returns the models that Marvin knows offline. If the command line names a provider,
// modelNames returns only that provider's default model. Otherwise it returns the default models of
// all providers and the models with a known price.
func modelNames(before []string) []string {
	line, names := " "+strings.ReplaceAll(strings.Join(before, " "), "=", " ")+" ", map[string]bool{}
	for _, provider := range providers.Catalog {
		if strings.Contains(line, " --provider "+provider.Name+" ") {
			return []string{provider.Model}
		}
		names[provider.Model] = true
	}
	for _, model := range providers.Priced() {
		names[model] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// parameters returns completions for the last argument of "marvin tool". An argument with "=" is
// completed with the parameter's valid values, and any other argument with the names of missing
// parameters.
func parameters(name string, given []string, last string) (list []flags.Completion) {
	tool, ok := extensions.NewRegistry(persistence.Open("", nil), tools.NewHTTPClient(nil), nil).Lookup(name)
	if !ok {
		return nil
	}
	var schema struct {
		Properties map[string]struct {
			Description string `json:"description"`
			Enum        []any  `json:"enum"`
			Type        any    `json:"type"`
		} `json:"properties"`
	}
	text, err := tool.Schema()
	if err != nil || json.Unmarshal(text, &schema) != nil {
		return nil
	}
	if key, typed, behind := strings.Cut(last, "="); behind {
		words := []string{}
		for _, value := range schema.Properties[key].Enum {
			words = append(words, fmt.Sprint(value))
		}
		if schema.Properties[key].Type == "boolean" {
			words = []string{"true", "false"}
		}
		for _, item := range cli.PrefixMatches(typed, words) {
			list = append(list, flags.Completion{Item: key + "=" + item.Item})
		}
		return list
	}
	for _, key := range slices.Sorted(maps.Keys(schema.Properties)) {
		if strings.HasPrefix(key, last) && !slices.ContainsFunc(given, func(word string) bool { return strings.HasPrefix(word, key+"=") }) {
			list = append(list, flags.Completion{Item: key + "=", Description: schema.Properties[key].Description})
		}
	}
	return list
}
