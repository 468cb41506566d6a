package offline

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"
)

//go:embed phrases/lexicon.txt
var lexiconText string

// wordBook is the lexicon in phrases/lexicon.txt, read on first use.
type wordBook struct {
	// Phrases such as "please" and "and what about", by section of phrases/lexicon.txt. Comments
	// in that file explain the sections.
	courtesyWords  map[string][][]string
	forms          map[string]string // "whats": "what is"
	tables         map[string]map[string]string
	anchors, times map[string]bool // times such as "noon"; all words that can be part of a time
	little, orders map[string]bool
	known          map[string]bool // the words of the lexicon
}

// knows returns true if a word is in the lexicon or in the phrases.
func (l *wordBook) knows(word string) bool { return l.known[word] || phraseWords()[word] }

// phraseWords returns the set of words in the phrases and frames, for spelling checks.
var phraseWords = sync.OnceValue(func() map[string]bool {
	separates := func(sign rune) bool { return strings.ContainsRune(" \n\t()[]|<>{},", sign) }
	known := make(map[string]bool, 8<<10)
	for _, text := range []string{englishText, germanText, frenchText, framesText} {
		for word := range strings.FieldsFuncSeq(text, separates) {
			if !known[word] {
				known[folded(word)] = true
			}
		}
	}
	return known
})

var lexicon = sync.OnceValue(func() *wordBook { return readLexicon(lexiconText) })

func readLexicon(text string) *wordBook {
	l := &wordBook{
		courtesyWords: map[string][][]string{}, forms: map[string]string{}, tables: map[string]map[string]string{}, known: make(map[string]bool, 4<<10),
		anchors: map[string]bool{}, times: map[string]bool{}, little: map[string]bool{}, orders: map[string]bool{},
	}
	section, behindSign := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section, behindSign = strings.Trim(line, "[]"), false
			continue
		}
		if line == "=" {
			behindSign = true
			continue
		}
		l.add(section, line, behindSign)
	}
	return l
}

func (l *wordBook) add(section, line string, behindSign bool) {
	meaning, rest, ok := strings.Cut(line, ": ")
	if section == "forms" {
		l.forms[folded(meaning)] = folded(rest)
		return
	}
	if section == "numbers" {
		l.put(section, folded(meaning), rest)
		return
	}
	if !ok {
		rest = line
	}
	for item := range strings.SplitSeq(rest, ", ") {
		item = folded(strings.TrimSpace(item))
		for piece := range strings.FieldsSeq(item) {
			l.known[piece] = true
		}
		switch section {
		case "before", "before me", "behind", "more", "rather", "adding", "added":
			l.courtesyWords[section] = append(l.courtesyWords[section], l.pieces(item))
		case "little":
			l.little[item] = true
		case "orders":
			l.orders[item] = true
		case "times":
			l.times[item] = true
			l.anchors[item] = l.anchors[item] || !behindSign
		default:
			l.put(section, item, meaning)
		}
	}
}

// pieces returns the words of text, which it splits at spaces and after elisions such as "s'". It
// does not use the lexicon, because the lexicon is still being read.
func (l *wordBook) pieces(text string) []string {
	var list []string
	for piece := range strings.FieldsSeq(text) {
		if m := splitElision(piece); m != nil {
			list = append(list, m[1]+"'", m[2])
		} else {
			list = append(list, piece)
		}
	}
	return list
}

// put assigns a meaning to an item, but an earlier meaning takes precedence. The meaning "="
// denotes the item itself.
func (l *wordBook) put(section, item, meaning string) {
	if l.tables[section] == nil {
		l.tables[section] = map[string]string{}
	}
	l.known[item] = true
	if _, ok := l.tables[section][item]; !ok {
		l.tables[section][item] = meaning
	}
}

// meaning returns the entry for the joined words in the given section.
func (l *wordBook) meaning(section string, words []word) (string, bool) {
	text := joined(words)
	meaning, ok := l.tables[section][text]
	if !ok {
		meaning, ok = l.tables[section][l.umlaut(text)]
	}
	return meaning, ok
}

func joined(words []word) string {
	var text strings.Builder
	for i, w := range words {
		if i > 0 && !strings.HasSuffix(words[i-1].folded, "'") {
			text.WriteByte(' ')
		}
		text.WriteString(w.folded)
	}
	return text.String()
}

var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// umlaut shortens "ae", "oe" and "ue" to "a", "o" and "u" in an unknown word: "uebersetze" becomes
// "ubersetze", the folded form of "übersetze".
func (l *wordBook) umlaut(word string) string {
	if !spelledOut(word) || l.knows(word) {
		return word
	}
	return umlauts.Replace(word)
}

// dotless returns true if [wordBook.umlaut] shortens the given word to the wanted word.
func (l *wordBook) dotless(word, want string) bool {
	return spelledOut(word) && umlauts.Replace(word) == want && !l.knows(word)
}

func spelledOut(word string) bool {
	return strings.Contains(word, "ae") || strings.Contains(word, "oe") || strings.Contains(word, "ue")
}

// misspelt returns true if an unknown word differs from the wanted word by one letter, by two
// letters in a very long word, or by two swapped letters.
func (l *wordBook) misspelt(said, want string) bool {
	if len(said) < 4 || len(want) < 4 || said[0] != want[0] && said[1] != want[0] {
		return false
	}
	return (swapped(said, want) || similar(said, want)) && !strings.ContainsAny(said, "0123456789./_-") && !l.knows(said)
}

// similar returns true if two long words with the same first letter differ in at most one letter.
// It allows two differences in very long words.
func similar(said, want string) bool {
	distance := 1
	if len(want) >= 9 {
		distance = 2
	}
	longer := len(said) - len(want)
	if said[0] != want[0] || len(want) < 5 || longer > 4*distance || longer < -4*distance {
		return false
	}
	return levenshtein.ComputeDistance(said, want) <= distance
}

// corrected corrects a misspelled day, such as "tomorow". It returns other words unchanged.
func (l *wordBook) corrected(said string) string {
	if len(said) < 5 {
		return said
	}
	for _, day := range days {
		if l.misspelt(said, day) {
			return day
		}
	}
	return said
}

var days = []string{
	"today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend",
	"heute", "morgen", "ubermorgen", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "wochenende",
	"aujourd'hui", "demain", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
}

// swapped returns true if two words differ only in the order of two adjacent letters.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// isLittle reports whether a word is a function word.
func (l *wordBook) isLittle(w word) bool { return !w.quoted && l.little[w.folded] }

// isTime reports whether a word can be part of a time.
func (l *wordBook) isTime(w word) bool {
	return !w.quoted && (l.times[w.folded] || clockShape().MatchString(w.folded) || dateShape().MatchString(w.folded))
}

// second returns true if the words contain a second request, such as "push it" in "wip and push
// it".
func (l *wordBook) second(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		switch w.folded {
		case "then", "but", "dann", "aber", "puis", "ensuite", "mais", "afterwards", "anschliessend", "danach", "apres":
			return true
		}
		return false
	}) || l.ordersBehind(words)
}

func (l *wordBook) ordersBehind(words []word) bool {
	for i := 0; i+1 < len(words); i++ {
		switch words[i].folded {
		case "and", "und", "et", "&":
			if l.orders[words[i+1].folded] {
				return true
			}
		}
	}
	return false
}
