package messages

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// toModels is how results ask a model to pass something on.
var toModels = []string{"Tell the user: ", "Tell the user to ", "Ask the user to "}

// Instead precedes the user's words in the result of a refused call.
const Instead = "The user wants this instead, in their own words: "

// Summary is the text of a result that went with a status, as people read it in short. They
// know that they refused a call, and what they said.
func Summary(status Status, text string) string {
	if status != Denied {
		return text
	}
	_, instead, said := strings.Cut(text, Instead)
	if !said {
		return ""
	}
	return "you want instead: " + instead
}

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
			if !strings.HasPrefix(after, "marvin ") { // a command is written as it is typed
				first = unicode.ToUpper(first)
			}
			text = before + string(first) + after[size:]
		}
	}
	return text
}
