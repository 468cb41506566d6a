package when

import (
	"strings"
	"unicode"
)

// token is a word, a number or a punctuation mark.
type token struct {
	text  string // in lower case, and in ASCII if possible
	kind  tokenKind
	glued bool // no white space before the token
}

type tokenKind uint8

const (
	word tokenKind = iota
	digits
	sign
)

// mostTokens is the maximum number of tokens in the text. For comparison, "the day after tomorrow
// at a quarter past seven in the evening" has twelve.
const mostTokens = 40

// tokens divides text into tokens. It treats a hyphen next to a letter like a space, so
// "après-demain", "twenty-five" and "5-minute" mean the same with and without a hyphen.
func tokens(text string) []token {
	var all []token
	runes := []rune(fold(text))
	for i := 0; i < len(runes); {
		r := runes[i]
		if unicode.IsSpace(r) {
			i++
			continue
		}
		next := token{glued: i > 0 && !unicode.IsSpace(runes[i-1]), kind: sign}
		end := i + 1
		switch {
		case isDigit(r):
			next.kind = digits
			for end < len(runes) && isDigit(runes[end]) {
				end++
			}
		case isLetter(r):
			next.kind = word
			for end < len(runes) && (isLetter(runes[end]) || runes[end] == '\'' && end+1 < len(runes) && isLetter(runes[end+1])) {
				end++
			}
		}
		next.text = string(runes[i:end])
		letters := i > 0 && isLetter(runes[i-1]) || end < len(runes) && isLetter(runes[end])
		if next.text != "-" || !letters {
			all = append(all, next)
		}
		i = end
	}
	return all
}

func isDigit(r rune) bool  { return r >= '0' && r <= '9' }
func isLetter(r rune) bool { return unicode.IsLetter(r) }

// fold converts text to lower case, and simplifies letters, punctuation and spaces. For example,
// "ä" becomes "ae", and "½" becomes "1/2". "à" does not change, because "a" is an article.
func fold(text string) string {
	var out strings.Builder
	for _, r := range strings.ReplaceAll(strings.ToLower(text), "a\u0300", "à") {
		switch r {
		case '\u0308': // a combining mark after its letter, as in umlauts on macOS
			if last := out.String(); last != "" && strings.ContainsRune("aou", rune(last[len(last)-1])) {
				out.WriteByte('e')
			}
		case '\u0300', '\u0301', '\u0302', '\u0327':
		default:
			out.WriteString(plain(r))
		}
	}
	return out.String()
}

func plain(r rune) string {
	switch r {
	case 'ä':
		return "ae"
	case 'ö':
		return "oe"
	case 'ü':
		return "ue"
	case 'ß':
		return "ss"
	case 'é', 'è', 'ê', 'ë':
		return "e"
	case 'û', 'ù':
		return "u"
	case 'â':
		return "a"
	case 'î', 'ï':
		return "i"
	case 'ô':
		return "o"
	case 'ç':
		return "c"
	case 'œ':
		return "oe"
	case '’', '‘', '`', '´':
		return "'"
	case '–', '—', '−', '‐', '‑':
		return "-"
	case '\u00a0', '\u202f', '\u2009':
		return " "
	case '½':
		return " 1/2 "
	case '¼':
		return " 1/4 "
	case '¾':
		return " 3/4 "
	}
	return string(r)
}
