package slash

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Command is a parsed line.
type Command struct {
	Verb Verb
	Text string // the argument; for [Prompt] and [Unknown], the whole line
}

// Parse parses the user's input, which can contain line breaks. In shell mode, input that is not
// one of Marvin's commands goes to the shell.
//
// The characters "/" and "!" begin a command only at the very start of the input. Outside shell
// mode, a path such as /etc/hosts is a prompt, and "/" alone lists the commands.
func Parse(line string, shellMode bool) Command {
	text := strings.TrimSpace(line)
	word, rest := CutWord(text)
	switch {
	case text == "":
		return Command{Verb: Nothing}
	case line[0] == '!':
		return bang(word, rest, text)
	case text == "/" && line[0] == '/' && !shellMode:
		return Command{Verb: Help}
	case line[0] == '/' && wordLike(word):
		if entry, ok := Find(word); ok && entry.Verb == ShellMode && rest != "" {
			return Command{Verb: Run, Text: rest}
		} else if ok {
			return Command{Verb: entry.Verb, Text: rest}
		}
		if !shellMode {
			return Command{Verb: Unknown, Text: text}
		}
	}
	if shellMode {
		return inShellMode(text)
	}
	if rule, is := ruleIn(line); is {
		return Command{Verb: AddRule, Text: rule}
	}
	if entry, ok := Find(text); ok && wordLike("/"+text) {
		return Command{Verb: entry.Verb}
	}
	return Command{Verb: Prompt, Text: text}
}

// ruleIn returns the rule in a line such as "#run make test before a commit". It returns false for
// headings, issue numbers, and text with several lines.
func ruleIn(line string) (rule string, is bool) {
	rule, is = strings.CutPrefix(strings.TrimRight(line, " \t\n"), "#")
	if !is || rule == "" || strings.Contains(rule, "\n") {
		return "", false
	}
	first, _ := utf8.DecodeRuneInString(rule)
	return rule, unicode.IsLetter(first)
}

// bang parses a line that begins with an exclamation mark. It recognizes old command names such as
// !code, which would otherwise run in the shell.
func bang(word, rest, text string) Command {
	entry, ok := Find(strings.TrimRight(word, ";&|"))
	switch {
	case text == "!":
		return Command{Verb: Run}
	case ok && entry.Verb == ShellMode && rest != "":
		return Command{Verb: Run, Text: rest}
	case ok && (entry.Verb != Code || rest == ""): // "!code ." runs the editor named code
		return Command{Verb: entry.Verb, Text: rest}
	}
	return Command{Verb: Run, Text: strings.TrimSpace(text[1:])}
}

// inShellMode parses a line in shell mode. "exit" leaves shell mode, "quit" ends Marvin, and any
// other line is a shell command.
func inShellMode(text string) Command {
	switch {
	case strings.EqualFold(text, "exit"):
		return Command{Verb: ShellMode}
	case strings.EqualFold(text, "quit"):
		return Command{Verb: Leave}
	}
	return Command{Verb: Run, Text: text}
}

// CutWord splits text into the first word and the rest.
func CutWord(text string) (word, rest string) {
	at := strings.IndexFunc(text, unicode.IsSpace)
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimSpace(text[at:])
}

// wordLike reports whether a word consists of a slash and a possible command name.
func wordLike(word string) bool {
	if word == "/?" {
		return true
	}
	return len(word) > 1 && !strings.ContainsFunc(word[1:], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_:.", r)
	}) && unicode.IsLetter([]rune(word[1:])[0])
}
