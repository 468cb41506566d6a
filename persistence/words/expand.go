package words

import (
	"fmt"
	"strconv"
	"strings"
)

// Part is a shell command or a file mention in the text of a [Command]. Parts are resolved each
// time a [Command] is used.
type Part struct {
	Shell   string // the command; "" for a file
	Mention        // the file or directory
}

// mostParts limits the number of shell commands and files in one text.
const mostParts = 20

// Expand inserts arguments into the text of a command. It replaces $ARGUMENTS and $@ with all
// arguments, and $1 to $9 with one argument each. A quoted string is one argument. If the text has
// no placeholder, Expand appends the arguments. Expand also returns the shell commands
// (!`git status`) and files (@main.go) that the text mentions. The mentions remain in the text, so
// that the model can refer to them.
func Expand(text, arguments, dir string) (string, []Part) {
	given := fields(arguments)
	var out strings.Builder
	used := false
	for at := 0; at < len(text); {
		name, length := placeholder(text[at:])
		if length == 0 {
			out.WriteByte(text[at])
			at++
			continue
		}
		used = true
		if name == 0 {
			out.WriteString(arguments)
		} else if name <= len(given) {
			out.WriteString(given[name-1])
		}
		at += length
	}
	// The parts come only from the author's text. An argument must not become a shell command.
	parts := partsOf(text, dir)
	if !used && strings.TrimSpace(arguments) != "" {
		fmt.Fprintf(&out, "\n\n%s", strings.TrimSpace(arguments))
	}
	return strings.TrimSpace(out.String()), parts
}

// placeholder parses a placeholder at the beginning of text. It returns the number of the argument,
// or 0 for all arguments. If there is no placeholder, length is 0.
func placeholder(text string) (number, length int) {
	for _, all := range []string{"$ARGUMENTS", "${ARGUMENTS}", "$@"} {
		if strings.HasPrefix(text, all) {
			return 0, len(all)
		}
	}
	if len(text) >= 2 && text[0] == '$' && text[1] >= '1' && text[1] <= '9' && (len(text) == 2 || text[2] < '0' || text[2] > '9') {
		number, _ = strconv.Atoi(text[1:2])
		return number, 2
	}
	return 0, 0
}

// fields returns the parts of text that are separated by white space outside quotes. It removes the
// quotes.
func fields(text string) (all []string) {
	var word strings.Builder
	quote, inside := rune(0), false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'' && !inside:
			quote, inside = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inside {
				all = append(all, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if inside {
		all = append(all, word.String())
	}
	return all
}

func partsOf(text, dir string) (parts []Part) {
	var fence fence
	for line := range strings.Lines(text) {
		if fence.holds(line) {
			continue
		}
		for rest := line; ; {
			_, behind, found := strings.Cut(rest, "!`")
			command, after, closed := strings.Cut(behind, "`")
			if !found || !closed {
				break
			}
			if command = strings.TrimSpace(command); command != "" {
				parts = append(parts, Part{Shell: command})
			}
			rest = after
		}
		for _, token := range mentionedPaths(line) {
			if one, ok := findMention(token, dir); ok {
				parts = append(parts, Part{Mention: one})
			}
		}
	}
	return parts[:min(len(parts), mostParts)]
}
