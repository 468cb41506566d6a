package keys

import (
	"sync"
	"unicode"
)

// Latin maps a letter of another alphabet to the character on the same key of a US keyboard, so
// that Ctrl-Ф on a Russian keyboard becomes Ctrl-A. If an alphabet has several keyboard layouts,
// Latin uses the most common one. If the letter is unknown, Latin returns it unchanged.
func Latin(letter rune) rune {
	if letter < 0x80 {
		return letter
	}
	key, known := usKeys()[unicode.ToLower(letter)]
	switch {
	case !known:
		return letter
	case unicode.IsUpper(letter):
		return unicode.ToUpper(key)
	}
	return key
}

var usKeys = sync.OnceValue(func() map[rune]rune {
	keys := map[rune]rune{}
	for _, row := range [][2]string{
		{"йцукенгшщзхъфывапролджэячсмитьбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"}, // Russian
		{"іїєґ", `s]'\`},       // Ukrainian
		{"ў", "o"},             // Belarusian
		{"љњђјћџѕ", "qw]j'xz"}, // Serbian
		{"ѓќ", "]'"},           // Macedonian
		{"ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"},     // Greek
		{"קראטוןםפשדגכעיחלךףזסבהנמצתץ", "ertyuiopasdfghjkl;zxcvbnm,."}, // Hebrew
	} {
		us := []rune(row[1])
		for i, letter := range []rune(row[0]) {
			keys[letter] = us[i]
		}
	}
	return keys
})
