package tools

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes control characters, invisible and bidirectional ones readable as
// ‹U+202E›, so that what a person is shown is what there is. Line breaks and tabs
// stay.
func Visible(text string) string {
	clean := true
	for _, r := range text {
		if hidden(r) {
			clean = false
			break
		}
	}
	if clean && utf8.ValidString(text) {
		return text
	}
	var out strings.Builder
	for _, r := range strings.ToValidUTF8(text, "�") {
		if hidden(r) {
			fmt.Fprintf(&out, "‹U+%04X›", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// Hidden counts the characters of a file that nobody sees: those that [Visible] spells
// out, without the line ends of Windows and the mark at its beginning.
func Hidden(text string) (count int) {
	for _, r := range strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n") {
		if hidden(r) {
			count++
		}
	}
	return count
}

func hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' || r >= 0xE0000 && r <= 0xE007F || r == '\u2028' || r == '\u2029'
}

// Unhidden takes out of what strangers wrote the characters that carry text which nobody
// sees, or which show a line in another order than it has: tags, variation selectors
// beyond the sixteen that fonts use, direction marks, widths of zero (S-14). Where whole
// words may have been hidden it says so at the end. What joins letters and emoji stays,
// except in the flags of England, Scotland and Wales, which are written with tags.
func Unhidden(text string) string {
	smuggled := 0
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 0xE0000 && r <= 0xE0FFF:
			smuggled++
			return -1
		case unicode.Is(unicode.Bidi_Control, r), r == '\u200b', r >= '\u2060' && r <= '\u2064', r == '\ufeff':
			return -1
		}
		return r
	}, text)
	if smuggled > 0 {
		clean += fmt.Sprintf("\n[%d invisible characters were taken out: hidden text, which is not to be trusted]", smuggled)
	}
	return clean
}
