package spelling

import (
	"strings"
	"unicode/utf8"
)

// escapes is a dialect of backslash escapes. In the wrong dialect, the same text can decode to a
// different command.
type escapes uint8

const (
	Quotes    escapes = iota // $'…' of bash
	Echoes                   // echo -e: octal numbers begin with a zero
	Formats                  // the format of printf
	Arguments                // %b of printf
)

const (
	octal       = "01234567"
	hexadecimal = "0123456789abcdefABCDEF"
)

// plainEscapes maps the character after a backslash to the character that the escape produces.
var plainEscapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'e': 0x1b, 'E': 0x1b, 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// Ansi decodes backslash escapes as bash does. In the dialect [Quotes], the decoded text ends
// before an escaped NUL. In all other dialects, an escaped NUL is omitted, because shells ignore
// NULs in their input.
func Ansi(text string, of escapes) string {
	var out strings.Builder
	for n := 0; n < len(text); n++ {
		if text[n] != '\\' || n+1 == len(text) {
			out.WriteByte(text[n])
			continue
		}
		n++
		c := text[n]
		// In these dialects, "\c" ends the output.
		if c == 'c' && (of == Echoes || of == Arguments) {
			return out.String()
		}
		encoded, length := decodeEscape(text[n:], of)
		if length == 0 { // unknown escape
			out.WriteByte('\\')
			out.WriteByte(c)
			continue
		}
		n += length - 1
		switch {
		case encoded != "\x00":
			out.WriteString(encoded)
		case of == Quotes:
			return out.String()
		}
	}
	return out.String()
}

// decodeEscape decodes the escape after a backslash. length is 0 if the escape is unknown.
func decodeEscape(text string, of escapes) (encoded string, length int) {
	plain, known := plainEscapes[text[0]]
	switch {
	case known && (of == Quotes || of == Formats || !strings.Contains(`'"?`, text[:1])):
		return string([]byte{plain}), 1
	case text[0] != 'c':
		return decodeNumeric(text, of)
	case of != Quotes || len(text) < 2:
		return "", 0
	case text[1] == '?':
		return "\x7f", 2
	}
	return string([]byte{text[1] & 0x1f}), 2 + count(strings.HasPrefix(text[1:], `\\`))
}

// decodeNumeric decodes a numeric escape such as "141" or "u0061". The text begins after the
// backslash. length is 0 if the escape is invalid.
func decodeNumeric(text string, of escapes) (encoded string, length int) {
	digits, most, base, before := octal, 3, 8, 0
	switch text[0] {
	case 'x':
		digits, most, base, before = hexadecimal, 2, 16, 1
		if strings.HasPrefix(text[1:], "{") && of == Quotes {
			most, before = 8, 2
		}
	case 'u':
		digits, most, base, before = hexadecimal, 4, 16, 1
	case 'U':
		digits, most, base, before = hexadecimal, 8, 16, 1
	case '0':
		most += count(of == Echoes || of == Arguments)
	default:
		if of == Echoes {
			return "", 0
		}
	}
	number := leading(text[before:], most, digits)
	if number == "" && before < 2 {
		return "", 0
	}
	value := rune(0)
	for _, digit := range strings.ToLower(number) {
		value = value*rune(base) + rune(strings.IndexRune(hexadecimal, digit))
	}
	length = before + len(number)
	if before == 2 && strings.HasPrefix(text[length:], "}") {
		length++
	}
	if text[0] == 'u' || text[0] == 'U' {
		return string(utf8.AppendRune(nil, value)), length
	}
	return string([]byte{byte(value)}), length
}

func leading(text string, most int, from string) string {
	n := 0
	for n < len(text) && n < most && strings.IndexByte(from, text[n]) >= 0 {
		n++
	}
	return text[:n]
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
