package text

import "strings"

// OneLine returns text on one line: its words, separated by single spaces.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// ClipBytes shortens text to the given number of bytes. If it removes anything, it adds "…".
func ClipBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// Clip shortens text to the given number of characters. If it removes anything, it adds "…".
// Invalid UTF-8 becomes U+FFFD.
func Clip(text string, most int) string {
	if len(text) > most {
		if runes := []rune(text); len(runes) > most {
			return string(runes[:most]) + "…"
		}
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
