package tickets

import (
	"errors"
	"fmt"
	"strings"

	"marvin/tools"
)

// splitWords splits a line into words. It interprets quotes and backslashes as a shell does, but
// expands nothing, so "costs $5" can be a title. Linking the syntax package of mvdan.cc/sh/v3 would
// add 0.08 ms to Marvin's startup (measured).
func splitWords(line string) ([]string, error) {
	var found []string
	var word strings.Builder
	quote, inWord, quoted := rune(0), false, false
	runes := []rune(line)
	end := func() error {
		if !inWord {
			return nil
		}
		text := word.String()
		if !quoted && strings.Trim(text, "|&;<>") == "" {
			return tools.Advise(fmt.Errorf("tk is run without a shell, so %q has no meaning here", text), "Make one call for each command, and put text in quotes.")
		}
		found = append(found, text)
		word.Reset()
		inWord, quoted = false, false
		return nil
	}
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '\\' && quote != '\'' && i+1 < len(runes) && (quote == 0 || strings.ContainsRune("\\\"$`\n", runes[i+1])):
			i++
			if runes[i] != '\n' {
				word.WriteRune(runes[i])
				inWord, quoted = true, true
			}
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord, quoted = r, true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if err := end(); err != nil {
				return nil, err
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, tools.Advise(errors.New("a quote is not closed"), `Write texts like "this", with \" inside.`)
	}
	return found, end()
}
