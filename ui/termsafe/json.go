package termsafe

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes harmful characters in the strings of a JSON text as \uXXXX, so the value stays the
// same. Line breaks between tokens are not escaped. [String] drops the same characters.
func JSON(text []byte) []byte {
	at := firstHarmful(text)
	if at == len(text) {
		return text
	}
	out := append(make([]byte, 0, len(text)+64), text[:at]...)
	for rest := text[at:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch high, low := utf16.EncodeRune(r); {
		case !harmful(r) || r == '\r':
			out = append(out, rest[:size]...)
		case high == utf8.RuneError:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
		rest = rest[size:]
	}
	return out
}

// firstHarmful returns the offset of the first harmful character, or len(text) if there is none.
func firstHarmful(text []byte) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if harmful(r) {
			return at
		}
		at += size
	}
	return len(text)
}
