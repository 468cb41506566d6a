// Package fold normalizes text for comparisons that ignore case and accents.
package fold

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var letters = strings.NewReplacer("ß", "ss", "ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d")

// Text converts a string to lower case and removes accents: "São Paulo" becomes "sao paulo".
func Text(text string) string {
	text = strings.ToLower(text)
	plain := true
	for i := 0; i < len(text); i++ {
		plain = plain && text[i] < 0x80
	}
	if plain {
		return text
	}
	return letters.Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text)))
}
