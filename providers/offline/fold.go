package offline

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var plainLetters = strings.NewReplacer("ß", "ss", "œ", "oe", "æ", "ae", "’", "'", "‘", "'")

// unaccented contains the base letters of the letters from à to ÿ. This range is enough for German
// and French. Folding the phrases with the Unicode tables for all languages took 4 ms.
const unaccented = "aaaaaa?ceeeeiiii?nooooo??uuuuy?y"

// folded converts text to lower case and removes accents, for comparisons.
func folded(text string) string {
	text = strings.ToLower(text)
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return text
	}
	short := make([]byte, 0, len(text))
	for _, letter := range text {
		switch {
		case letter <= unicode.MaxASCII:
			short = append(short, byte(letter))
		case letter >= 'à' && letter <= 'ÿ' && unaccented[letter-'à'] != '?':
			short = append(short, unaccented[letter-'à'])
		default:
			return foldAnyLanguage(text)
		}
	}
	return string(short)
}

// foldAnyLanguage removes the accents from text in any language.
func foldAnyLanguage(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(plainLetters.Replace(text)))
}
