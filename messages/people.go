package messages

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// toModels lists the phrases with which tools ask the model to talk to the user.
var toModels = []string{"Tell the user: ", "Tell the user to ", "Ask the user to "}

// RefusalPhrase precedes the user's words in the result of a refused call.
const RefusalPhrase = "The user wants this instead, in their own words: "

// Summary returns a result as the user sees it. For a refused call, it returns only the user's own
// words, because the user knows the rest.
func Summary(status Status, text string) string {
	if status != Denied {
		return text
	}
	_, instead, said := strings.Cut(text, RefusalPhrase)
	if !said {
		return ""
	}
	return "you want instead: " + instead
}

// ForPeople returns a tool result for the user, without phrases such as "Tell the user to ".
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
			if !strings.HasPrefix(after, "marvin ") { // do not capitalize a command
				first = unicode.ToUpper(first)
			}
			text = before + string(first) + after[size:]
		}
	}
	return text
}
