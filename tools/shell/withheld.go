package shell

import (
	"fmt"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Withheld returns the names of the environment variables that a command line uses but does not
// receive.
func Withheld(environ []string, line string) []string {
	return withheld(environ, func(name string) bool { return asksFor(line, name) })
}

func withheld(environ []string, mentioned func(name string) bool) []string {
	secrets, unknown := tools.Withheld(environ)
	return slices.DeleteFunc(append(secrets, unknown...), func(name string) bool { return !mentioned(name) })
}

// asksFor reports whether a line uses $NAME or ${NAME}.
func asksFor(line, name string) bool {
	return slices.ContainsFunc([]string{"$", "${"}, func(start string) bool { return hasWord(line, start+name) })
}

// endOf is the number of bytes searched at the end of each output stream. The search looks for
// variable names after a failed command.
const endOf = 4 << 10

// missed composes a note for the model. The note lists the withheld variables that a command line
// uses and, if the command failed, those that the output mentions.
func missed(environ []string, line string, result proc.Result) string {
	said := ""
	if result.ExitCode != 0 {
		for _, text := range []string{result.Stdout.Text(), result.Stderr.Text()} {
			said += text[max(0, len(text)-endOf):] + "\n"
		}
	}
	names := withheld(environ, func(name string) bool {
		return asksFor(line, name) || len(name) > 3 && hasWord(said, name)
	})
	if len(names) == 0 {
		return ""
	}
	list := strings.Join(names, ",")
	return fmt.Sprintf("[withheld from commands: %s. If the command needs them, tell the user to start Marvin with MARVIN_PASS_ENV=%s]\n", tools.Visible(strings.Join(names, ", ")), tools.Visible(list))
}

// hasWord reports whether text contains word as a whole word.
func hasWord(text, word string) bool {
	for at := 0; ; {
		found := strings.Index(text[at:], word)
		if found < 0 {
			return false
		}
		from, to := at+found, at+found+len(word)
		if (from == 0 || !inName(text[from-1]) || !inName(word[0])) && (to == len(text) || !inName(text[to])) {
			return true
		}
		at = from + 1
	}
}

func inName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
