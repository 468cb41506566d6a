package text

import "strings"

// OneLine returns text on one line: its words, separated by single spaces.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Clip returns the beginning of text, at most most characters, with a mark if there were more.
// Invalid UTF-8 becomes U+FFFD.
func Clip(text string, most int) string {
	if len(text) > most {
		if runes := []rune(text); len(runes) > most {
			return string(runes[:most]) + "…"
		}
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
