// Package termsafe makes external text safe for a terminal.
//
// Text from models, tools, files and file names may contain invisible characters, characters that
// reorder a line, and sequences that set the title, read the clipboard or move the cursor. All
// output to a terminal passes through this package, but a pipe gets the original bytes. In JSON
// output, harmful characters are always escaped, so a JSON parser gets the original values.
package termsafe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// String drops control characters and most invisible characters, such as bidi overrides and tag
// characters. It keeps line feeds and tabs. An escape sequence loses only its ESC, because the rest
// is harmless. Each run of invalid UTF-8 becomes one U+FFFD.
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

// Line is like [String], but also replaces line breaks and tabs with spaces.
func Line(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, String(text))
}

func clean(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, harmful)
}

// harmful is true if a character controls a terminal or is invisible. It is false for the
// zero-width joiner and non-joiner, and for visible format characters in Arabic and Syriac.
func harmful(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t'
	case r < 0x7f:
		return false
	case r <= 0x9f:
		return true
	case r == '\u200c' || r == '\u200d':
		return false
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return r == '\u2028' || r == '\u2029' || r >= 0xe0000 && r <= 0xe0fff
}
