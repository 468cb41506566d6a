package permit

import "strings"

// ansi reads the escapes of $'…' that spell letters.
func ansi(text string) string {
	var out strings.Builder
	for n := 0; n < len(text); n++ {
		if text[n] != '\\' || n+1 == len(text) {
			out.WriteByte(text[n])
			continue
		}
		n++
		digits, base := "", 0
		switch c := text[n]; {
		case c >= '0' && c <= '7':
			digits, base = leading(text[n:], 3, "01234567"), 8
			n += len(digits) - 1
		case c == 'x':
			digits, base = leading(text[n+1:], 2, "0123456789abcdefABCDEF"), 16
			n += len(digits)
		case c == 'u':
			digits, base = leading(text[n+1:], 4, "0123456789abcdefABCDEF"), 16
			n += len(digits)
		case c == 'U':
			digits, base = leading(text[n+1:], 8, "0123456789abcdefABCDEF"), 16
			n += len(digits)
		case c == 'n', c == 't', c == 'r':
			out.WriteByte(' ')
		case c == 'c':
			out.WriteString(hole)
		default:
			out.WriteByte(c)
		}
		if base > 0 {
			value := rune(0)
			for _, digit := range strings.ToLower(digits) {
				value = value*rune(base) + rune(strings.IndexRune("0123456789abcdef", digit))
			}
			out.WriteRune(value)
		}
	}
	return out.String()
}

func leading(text string, most int, from string) string {
	n := 0
	for n < len(text) && n < most && strings.IndexByte(from, text[n]) >= 0 {
		n++
	}
	return text[:n]
}
