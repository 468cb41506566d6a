package actors

import (
	"strings"

	"marvin/messages"
)

// withoutDefault is what the user typed of an answer: without the default, which the model wrote
// and a front end may have put into the line.
func withoutDefault(chosen messages.Chosen, question messages.Question) string {
	text := chosen.Text
	for _, word := range append(question.Default, question.Stated().Text) {
		if word != "" {
			text = strings.ReplaceAll(text, word, " ")
		}
	}
	return text
}
