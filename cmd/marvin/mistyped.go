package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/jessevdk/go-flags"

	"marvin/ui/command"
)

// What was meant as a command and is none must not become a prompt, which costs money
// and is answered with something that nobody asked.

// run tells about a command of the shell or of a conversation, or prints a page of the manual,
// or says what there is.
func (c helpCommand) run(_ context.Context, world World, _ options) error {
	args, topic := []string{"--help"}, strings.Join(c.Args.Topic, " ")
	if of := c.Args.Topic; len(of) > 1 && isSubcommand(of[0], of[1]) {
		args = append(slices.Clone(of), "--help")
	} else if topic != "" && slices.Contains(commandNames(), topic) && topic != "help" {
		args = []string{topic, "--help"}
	} else if topic != "" && topic != "help" {
		text, ok := command.About(topic)
		page := manual(topic)
		if first := c.Args.Topic[0]; !ok && page == "" && first != topic && asksManual(c.Args.Topic) {
			return fmt.Errorf("nothing in the manual is headed %s; marvin help %s tells what there is about that. To ask the model: marvin -- help %[1]s", topic, first)
		}
		if !ok && page == "" {
			return fmt.Errorf("there is no command %s, and no page of the manual%s marvin --help lists the commands, marvin tools %[1]s the tools about it. To ask the model: marvin -- help %[1]s", topic, nearTopics(topic))
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

// commandNames are the commands that people use, in the order of the help.
func commandNames() (names []string) {
	for _, command := range newParser(&commands{}).Commands() {
		if !command.Hidden {
			names = append(names, command.Name)
		}
	}
	return names
}

// mistyped refuses a prompt of one word, typed where a command stands, that resembles one.
// A flag before it, or --, says that it is a prompt.
func mistyped(args, words []string) error {
	if len(words) != 1 || args[0] != words[0] {
		return nil
	}
	if near := resembling(words[0]); near != "" {
		return fmt.Errorf("there is no command %s; did you mean: marvin %s? To ask the model: marvin -- %[1]s", words[0], near)
	}
	return nil
}

// resembling is the command that a word differs from by one slip of the keyboard, or by
// two in a long one. Names of three letters are too near to other words.
func resembling(word string) string {
	typed := strings.ToLower(word)
	best, least := "", 3
	for _, name := range commandNames() {
		far := levenshtein.ComputeDistance(typed, name)
		if far == 2 && sameLetters(typed, name) {
			far = 1 // two letters changed places
		}
		if far < least && (far <= 1 && len(name) > 3 || far <= 2 && len(name) > 6 || far == 0) {
			best, least = name, far
		}
	}
	return best
}

func sameLetters(a, b string) bool {
	left, right := []byte(a), []byte(b)
	slices.Sort(left)
	slices.Sort(right)
	return slices.Equal(left, right)
}

// surplus says that a command takes nothing more, and how the words are a prompt.
func surplus(name string, args, rest []string) error {
	return fmt.Errorf("marvin %s takes nothing like %q (marvin help %[1]s). To ask the model: marvin -- %[3]s", name, strings.Join(rest, " "), strings.Join(args, " "))
}

// examplesOf are values of the options that take more than a word.
var examplesOf = map[string]string{
	"float64": "a number, such as 2.50", "int": "a whole number, such as 20", "time.Duration": "a time, such as 90s or 10m",
}

// unknownOption says which option may have been meant.
func unknownOption(problem *flags.Error) error {
	_, name, _ := strings.Cut(problem.Message, "`")
	name = strings.TrimSuffix(name, "'")
	if len(name) < 2 {
		return fmt.Errorf("there is no option -%s", name)
	}
	parser, known := newParser(&commands{}), []string{}
	for _, place := range append(parser.Commands(), parser.Command) {
		for _, group := range place.Groups() {
			for _, option := range group.Options() {
				if option.LongName != "" && !slices.Contains(known, "--"+option.LongName) {
					known = append(known, "--"+option.LongName)
				}
			}
		}
	}
	if near := command.Suggest("--"+name, known); len(near) > 0 {
		return fmt.Errorf("there is no option --%s; did you mean %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no option --%s", name)
}

// plainly says what an option takes where the library tells the Go function that failed.
func plainly(err error, args []string) error {
	var problem *flags.Error
	if errors.As(err, &problem) && problem.Type == flags.ErrUnknownFlag { // guard: U5: an option that is not there is suggested
		return unknownOption(problem)
	}
	if problem == nil || problem.Type != flags.ErrMarshal {
		return err
	}
	_, rest, _ := strings.Cut(problem.Message, "`")
	names, rest, _ := strings.Cut(rest, "'")
	_, rest, _ = strings.Cut(rest, "(expected ")
	kind, _, _ := strings.Cut(rest, ")")
	form, known := examplesOf[kind]
	if !known {
		return err
	}
	forms, given := strings.Split(names, ", "), ""
	for i, arg := range args {
		for _, flag := range forms {
			if value, joined := strings.CutPrefix(arg, flag+"="); joined {
				given = value
			} else if arg == flag && i+1 < len(args) {
				given = args[i+1]
			}
		}
	}
	return fmt.Errorf("%s takes %s, not %q", forms[len(forms)-1], form, given)
}
