package hostnames

import (
	"slices"
	"strings"
	"unicode"
)

// What a sentence forbids, in three languages. Each first prompt is searched: patterns of so many
// words took a millisecond to compile.

var (
	negations = setOf(`never not no dont doesnt mustnt shouldnt cant cannot wont without except forbidden ban banned ignore refuse deny denied malicious malware phishing scam untrusted unsafe
neither nor beware dangerous suspicious hostile hacked compromised
nicht nie niemals ohne statt verboten außer weder fern
ne pas jamais sans éviter sauf`)
	negationStems = []string{"avoid", "block", "forbid", "kein", "vermeide", "blockier", "sperr", "évite", "bloque", "interdi", "blacklist", "blocklist", "denylist", "attacker", "gefährlich", "verdächtig", "betrüger", "aucun", "arrête", "cesse", "dangereu", "suspect"}
	negationPairs = [][2]string{
		{"instead", "of"},
		{"rather", "than"},
		{"hands", "off"},
		{"finger", "weg"},
		{"hör", "auf"},
		{"away", "from"},
		{"keep", "away"},
		{"stay", "away"},
		{"keep", "clear"},
		{"stay", "clear"},
		{"keep", "out"},
		{"stay", "out"},
		{"stay", "off"},
		{"stop", "talking"},
		{"stop", "sending"},
		{"stop", "contacting"},
		{"stop", "using"},
		{"stop", "visiting"},
		{"stop", "calling"},
		{"stop", "asking"},
		{"stop", "going"},
		{"stop", "connecting"},
		{"stop", "fetching"},
		{"stop", "downloading"},
		{"stop", "opening"},
		{"stop", "loading"},
		{"stop", "posting"},
		{"stop", "pushing"},
		{"stop", "uploading"},
		{"nothing", "may"},
		{"nothing", "must"},
		{"nothing", "should"},
		{"nothing", "shall"},
		{"nothing", "can"},
		{"nothing", "goes"},
		{"nothing", "leaves"},
		{"nothing", "to"},
		{"nothing", "from"},
		{"nichts", "darf"},
		{"nichts", "soll"},
		{"nichts", "geht"},
		{"nichts", "an"},
		{"nichts", "zu"},
		{"nichts", "nach"},
		{"nichts", "von"},
		{"rien", "vers"},
		{"rien", "à"},
		{"rien", "sur"},
		{"rien", "de"},
	}
	// negationHalves are what an apostrophe parts: don't, n'appelle.
	negationHalves = []string{"don", "doesn", "mustn", "shouldn", "can", "won"}
	contactStems   = strings.Fields(`contact visit open go fetch use call access trust send connect talk click download brows load request reach ask touch follow avoid
kontaktier besuch öffne geh ruf lade nutz sende visite ouvr va utilis appel`)
)

// Forbids reports whether a sentence forbids to contact something.
func Forbids(sentence string) bool { return negates(sentence) && contacts(sentence) }

// negates reports whether a text has a word that forbids.
func negates(text string) bool {
	before, gap := "", ""
	for word, sign := range letters(text) {
		if negations()[word] || hasStem(word, negationStems) || slices.Contains(negationPairs, [2]string{before, word}) && gap == " " {
			return true
		}
		if apostrophe := gap == "'" || gap == "’"; apostrophe && (before == "n" || word == "t" && slices.Contains(negationHalves, before)) {
			return true
		}
		before, gap = word, sign
	}
	return false
}

// contacts reports whether a text has a verb by which a negation is about a place.
func contacts(text string) bool {
	for word := range letters(text) {
		if hasStem(word, contactStems) {
			return true
		}
	}
	return false
}

func hasStem(word string, stems []string) bool {
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.HasPrefix(word, stem) })
}

// letters are the runs of letters in a text, in lower case, each with what is between it and the
// next one.
func letters(text string) func(yield func(word, gap string) bool) {
	return func(yield func(word, gap string) bool) {
		for {
			begin := strings.IndexFunc(text, unicode.IsLetter)
			if begin < 0 {
				return
			}
			text = text[begin:]
			end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
			if end < 0 {
				end = len(text)
			}
			next := strings.IndexFunc(text[end:], unicode.IsLetter)
			if next < 0 {
				next = len(text) - end
			}
			if !yield(strings.ToLower(text[:end]), text[end:end+next]) {
				return
			}
			text = text[end:]
		}
	}
}
