package offline

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var plainLetters = strings.NewReplacer("ß", "ss", "œ", "oe", "æ", "ae", "’", "'", "‘", "'")

// folded is text in lower case and without accents, as words are compared.
func folded(text string) string {
	text = strings.ToLower(text)
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(plainLetters.Replace(text)))
}
