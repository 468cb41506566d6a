package schedule

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// SplitWords splits a line as a shell does: at spaces outside quotes.
func SplitWords(line string) (words []string, err error) {
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote is not closed in %q", clip(line))
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// ParseCall parses a call in the syntax of "marvin tool": a name, then key=value words or a JSON
// object. If len(words) is 1, words[0] is the whole call.
func ParseCall(words []string) (tool string, arguments json.RawMessage, err error) {
	if len(words) == 1 {
		name, rest, _ := strings.Cut(strings.TrimSpace(words[0]), " ")
		if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "{") {
			words = []string{name, rest}
		} else if words, err = SplitWords(words[0]); err != nil {
			return "", nil, err
		}
	}
	if len(words) == 0 || strings.Contains(words[0], "=") {
		return "", nil, errors.New(`the tool to call is missing; write for example marvin watch add 'weather_forecast place=Uppsala' --every 2h`)
	}
	if len(words) == 2 && strings.HasPrefix(words[1], "{") {
		if !json.Valid([]byte(words[1])) {
			return "", nil, fmt.Errorf("%s is not a JSON object", clip(words[1]))
		}
		return words[0], json.RawMessage(words[1]), nil
	}
	values := map[string]string{}
	for _, word := range words[1:] {
		key, value, ok := strings.Cut(word, "=")
		if !ok || key == "" {
			return "", nil, fmt.Errorf("%q is not key=value; if a value contains spaces, put it in quotes, for example 'weather_forecast place=\"New York\"'", word)
		}
		values[key] = value
	}
	arguments, err = json.Marshal(values)
	return words[0], arguments, err
}
