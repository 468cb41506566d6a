package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/models"
	"marvin/messages/lists"
	"marvin/ui/slash"
)

// A mistyped command must not become a prompt: the user would pay for an unrelated answer.

// Run explains a shell command or a slash command, prints a page of the manual, or lists the
// topics.
func (c helpCommand) Run(_ context.Context, world cli.World, _ cli.Options) error {
	of := lists.Map(c.Args.Topic, func(word helpTopic) string { return string(word) })
	args, topic := []string{"--help"}, strings.Join(of, " ")
	if len(of) > 1 && isSubcommand(of[0], of[1]) {
		args = append(slices.Clone(of), "--help")
	} else if topic != "" && slices.Contains(commandNames(), topic) && topic != "help" {
		args = []string{topic, "--help"}
	} else if topic != "" && topic != "help" {
		text, ok := slash.HelpFor(topic)
		page := manual(topic)
		if first := of[0]; !ok && page == "" && first != topic && asksManual(of) {
			return fmt.Errorf("no section of the manual is called %s; for related help, run marvin help %s. To ask the model: marvin -- help %[1]s", topic, first)
		}
		if !ok && page == "" {
			return fmt.Errorf("there is no command %s, and no page of the manual has that name%s To list the commands, run marvin --help; to search the tools for this word, run marvin tools %[1]s. To ask the model: marvin -- help %[1]s", topic, nearTopics(topic))
		}
		if ok {
			fmt.Fprintf(world.Stdout, "In a conversation:\n%s\n", text)
		}
		if ok && page != "" {
			fmt.Fprintln(world.Stdout)
		}
		if page != "" {
			fmt.Fprintln(world.Stdout, page)
		}
		return nil
	}
	_, _, _, err := parse(args, world.Stdout)
	return err
}

func isSubcommand(name, of string) bool {
	command := newParser(&commands{}).Find(name)
	return command != nil && command.Find(of) != nil
}

// commandNames returns the visible commands, in the order in which the help lists them.
func commandNames() (names []string) {
	for _, command := range newParser(&commands{}).Commands() {
		if !command.Hidden {
			names = append(names, command.Name)
		}
	}
	return names
}

// sentence is true if a line that begins with a command's name is a prompt, such as "help me write"
// or "version control explained". The line is a prompt if at least two words follow the command's
// name. Flags and their values do not count as words.
func sentence(rest []string) bool {
	var plain promptArgs
	if _, err := newParser(&plain).ParseArgs(joinPrompts(rest)); err != nil {
		return len(leading(rest)) > 1
	}
	return len(plain.Args.Words) > 1
}

func leading(args []string) []string {
	if first := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") }); first >= 0 {
		return args[:first]
	}
	return args
}

// refuseMistyped returns an error if the prompt looks like a slash command or a mistyped command.
// It compares the first word with the commands, and the second word with the command's arguments. A
// line that begins with a flag or "--" is never refused.
func refuseMistyped(args, words []string) error {
	if len(words) == 0 || args[0] != words[0] || isCommand(words[0]) {
		return nil
	}
	if ofConversation(words) {
		return fmt.Errorf("%s works only in a conversation: start marvin and type it there. To ask the model: marvin -- %s", words[0], strings.Join(args, " "))
	}
	near := equivalentCommand(words)
	if near == "" {
		near = nearestCommand(words[0])
		if near != "" && len(words) > 1 {
			near = withWord(near, words[1])
		}
	}
	if near == "" {
		return nil
	}
	return fmt.Errorf("there is no command %s; did you mean: marvin %s? To ask the model: marvin -- %s", words[0], near, strings.Join(args, " "))
}

// ofConversation reports whether the words form a command that works only in a conversation. A
// command without "/" or "!", such as "exit", must be the only word.
func ofConversation(words []string) bool {
	_, ok := slash.Find(words[0])
	return ok && (len(words) == 1 || strings.ContainsAny(words[0][:1], "/!"))
}

// equivalentCommand converts another assistant's command, for example "logout" into
// "login --forget PROVIDER". It returns "" for an unknown command.
func equivalentCommand(words []string) string {
	if words[0] == "logout" && len(words) == 2 {
		return "login --forget " + words[1]
	}
	if len(words) > 1 {
		return ""
	}
	return map[string]string{"logout": "login --forget PROVIDER", "auth": "login PROVIDER", "resume": "-r", "continue": "-c", "settings": "config list"}[words[0]]
}

// ofFewWords contains completers for commands whose argument must be a known word. The keys are
// command names.
var ofFewWords = map[string]flags.Completer{"login": models.ProviderName(""), "completion": shellName("")}

// withWord corrects a mistyped subcommand or argument. It returns the command with the corrected
// word, or "" if no known word is similar.
func withWord(name, word string) string {
	var known []string
	for _, below := range newParser(&commands{}).Find(name).Commands() {
		if !below.Hidden {
			known = append(known, below.Name)
		}
	}
	if words, ok := ofFewWords[name]; ok {
		for _, one := range words.Complete("") {
			known = append(known, one.Item)
		}
	}
	said, least := "", 2
	for _, one := range known {
		if far := slash.Slips(strings.ToLower(word), one); far < least {
			said, least = name+" "+one, far
		}
	}
	return said
}

// nearestCommand returns the command that a mistyped word probably means, or "". It allows one
// typing error, or two if the command's name is long. In names of up to three letters it allows
// only swapped or doubled letters, because short names resemble too many words.
func nearestCommand(word string) string {
	typed := strings.ToLower(word)
	best, least := "", 3
	for _, name := range commandNames() {
		far, same := slash.Slips(typed, name), len(typed) == len(name)
		if len(name) <= 3 && far == 1 && (same && levenshtein.ComputeDistance(typed, name) == 1 || !same && !doubled(typed, name)) {
			continue
		}
		if far < least && (far <= 1 || far <= 2 && len(name) > 6) {
			best, least = name, far
		}
	}
	return best
}

// doubled is true if the typed word is the name with one letter doubled.
func doubled(typed, name string) bool {
	for i := 1; i < len(typed); i++ {
		if typed[i] == typed[i-1] && typed[:i]+typed[i+1:] == name {
			return true
		}
	}
	return false
}

// surplus returns an error for arguments that the command does not take. The error suggests what
// the user may have meant, and says how to write a prompt.
func (m misuse) surplus(rest []string) error {
	said := fmt.Sprintf("%s does not take %q", m.name, strings.Join(rest, " "))
	near := m.takingValue(rest[0])
	if len(near) == 0 {
		near = slash.Suggest("--"+rest[0], names(allOptions(m.command)))
	}
	return fmt.Errorf("%s%s (marvin help%s). To ask the model: marvin -- %s",
		said, cli.DidYouMean("", near), strings.TrimPrefix(m.name, "marvin"), strings.Join(m.args, " "))
}
