// Package termsafe makes text that Marvin did not write safe for a terminal.
//
// Models, tools, files and file names may hold sequences that set the title, read
// the clipboard or move the cursor. Everything that goes to a terminal passes
// through here; a pipe gets the bytes as they are.
package termsafe

import (
	"strings"
	"unicode/utf8"
)

// String drops control characters except line breaks and tabs, C1 controls, bidi
// overrides and tag characters. Without its ESC a sequence is harmless text.
func String(text string) string {
	if clean(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if harmful(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
}

func clean(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if harmful(r) {
			return false
		}
	}
	return true
}

func harmful(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r <= 0x9f:
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c:
		return true
	}
	return r >= 0xe0000 && r <= 0xe007f
}
