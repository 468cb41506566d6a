package units

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"marvin/tools/internal/fold"
)

//go:embed currencies.txt
var currenciesText string

// currencies returns a map from the folded names of currencies to their codes.
var currencies = sync.OnceValue(func() map[string]string {
	table := map[string]string{}
	for line := range strings.Lines(currenciesText) {
		code, names, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(code, "#") {
			continue
		}
		for name := range strings.SplitSeq(names, ",") {
			table[fold.Text(strings.TrimSpace(name))] = code
		}
	}
	return table
})

// currency converts the name of a currency to its code. It accepts any three ASCII letters as a
// code, and returns "" for any other text.
func currency(text string) string {
	name := fold.Text(text)
	for _, form := range []string{name, strings.TrimSuffix(name, "s"), firstSingular(name)} {
		if code, ok := currencies()[form]; ok {
			return code
		}
	}
	if len(text) == 3 && !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) {
		return strings.ToUpper(text)
	}
	return ""
}

// firstSingular converts a plural such as "pounds sterling" to the singular, "pound sterling".
func firstSingular(name string) string {
	first, rest, _ := strings.Cut(name, " ")
	return strings.TrimSuffix(first, "s") + " " + strings.TrimSuffix(rest, "s")
}
