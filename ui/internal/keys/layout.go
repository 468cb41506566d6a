package keys

import (
	"sync"
	"unicode"
)

// Latin maps a letter of another alphabet to the letter on the same key of a US keyboard. For
// example, Ctrl-С on a Russian keyboard becomes Ctrl-C. If a letter is on different keys in
// different layouts, Latin uses the layout with more users.
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
