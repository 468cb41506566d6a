package messages

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// toModels is how results ask a model to pass something on.
var toModels = []string{"Tell the user: ", "Tell the user to ", "Ask the user to "}

// ForPeople is a result as the person reads it whom a model was to tell something.
func ForPeople(text string) string {
	for _, asking := range toModels {
		for {
			before, after, found := strings.Cut(text, asking)
			if !found {
				break
			}
			if after == "" {
				return before
			}
			first, size := utf8.DecodeRuneInString(after)
			text = before + string(unicode.ToUpper(first)) + after[size:]
		}
	}
	return text
}
