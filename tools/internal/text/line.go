package text

import "strings"

// OneLine is text as one line: its words with one space between them.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Clip is the first most characters of text, with a mark if that is not all. What is not
// UTF-8 in it becomes U+FFFD.
func Clip(text string, most int) string {
	if len(text) > most {
		if runes := []rune(text); len(runes) > most {
			return string(runes[:most]) + "…"
		}
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
