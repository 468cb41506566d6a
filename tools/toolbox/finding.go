package toolbox

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"marvin/tools/internal/fold"
)

//go:embed finding.txt
var findingText string

// finding contains the parsed content of finding.txt.
type finding struct {
	words   map[string]string // maps a tool's name to search words
	generic map[string]bool   // words that say little about the request
	little  map[string]bool   // words that are ignored
	places  map[string]bool   // words before the name of a place, such as "near"
	others  map[string]bool   // words for things that none of Marvin's own tools can do
	phrases map[string]string // extra search words, keyed by a phrase in the query
}

var further = sync.OnceValue(func() finding {
	f := finding{words: map[string]string{}, generic: map[string]bool{}, little: map[string]bool{}, places: map[string]bool{}, others: map[string]bool{}, phrases: map[string]string{}}
	for line := range strings.Lines(findingText) {
		name, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || name[0] == '#' {
			continue
		}
		if name == "*phrases" {
			for pair := range strings.SplitSeq(text, "; ") {
				phrase, meant, _ := strings.Cut(pair, " = ")
				f.phrases[fold.Text(phrase)] = meant
			}
			continue
		}
		set := map[string]map[string]bool{"*generic": f.generic, "*little": f.little, "*places": f.places, "*others": f.others}[name]
		if set == nil {
			f.words[name] = text
			continue
		}
		for word := range strings.FieldsSeq(text) {
			set[fold.Text(word)] = true
		}
	}
	return f
})

// askedWord contains a word of a query and the word's weight.
type askedWord struct {
	word string
	mass float64
}

const (
	genericMass = 0.25
	othersMass  = 2.0
	placeMass   = 0.4
)

// queryWords returns the distinct words of a query.
func queryWords(query string) []askedWord { return further().queryWords(further().withMeanings(query)) }

// unbiasedWords is like queryWords, but ignores known phrases and the extra weight of
// finding.others, because a server's tool could do what Marvin's own tools cannot do.
func unbiasedWords(query string) []askedWord {
	f := further()
	f.others = nil
	return f.queryWords(query)
}

func (f finding) queryWords(query string) (list []askedWord) {
	before := ""
	for word := range pieces(query) {
		folded := fold.Text(word)
		one := askedWord{stemmed(folded), 1}
		switch {
		case f.generic[folded]:
			one.mass = genericMass
		case f.others[folded]:
			one.mass = othersMass
		case f.places[before]:
			one.mass = placeMass // "temperature in Berlin" is a question about a temperature, not about Berlin
		}
		before = folded
		if !f.little[folded] && !slices.ContainsFunc(list, func(a askedWord) bool { return a.word == one.word }) {
			list = append(list, one)
		}
	}
	return list
}

// withMeanings adds words to a query that contains a known phrase. For example, it adds "biography"
// to "who was Goethe".
func (f finding) withMeanings(query string) string {
	text := " " + fold.Text(strings.Join(slices.Collect(pieces(query)), " ")) + " "
	for phrase, meant := range f.phrases {
		if strings.Contains(text, " "+phrase+" ") {
			query += " " + meant
		}
	}
	return query
}

func pieces(text string) func(func(string) bool) {
	return strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) })
}

// words returns the stems of the words in text, in lower case and without accents. It omits the
// words that finding.txt lists under "*little".
func words(text string) []string {
	little := further().little
	var found []string
	for word := range pieces(text) {
		if word = fold.Text(word); !little[word] {
			found = append(found, stemmed(word))
		}
	}
	return found
}

// stemmed removes the most common English, German and French endings from a word.
func stemmed(word string) string {
	word = stem(word)
	for range 2 { // the second round turns "vegan", from "veganer", into "vega"
		for _, ending := range []string{"ent", "en", "er", "em", "es", "ez", "ir", "ns", "e", "n"} {
			if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= 4 {
				word = rest
				break
			}
		}
	}
	return word
}

// stem removes the most common English endings from a lower-case word, so that "changes", "changed"
// and "changing" become equal. The result need not be a word.
func stem(word string) string {
	switch n := len(word); {
	case n > 4 && strings.HasSuffix(word, "ies"):
		return word[:n-3] + "y"
	case n > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		return stem(word[:n-1])
	case n > 5 && strings.HasSuffix(word, "ing"):
		return single(word[:n-3])
	case n > 4 && strings.HasSuffix(word, "ed"):
		return single(word[:n-2])
	case n > 4 && strings.HasSuffix(word, "e"):
		return word[:n-1]
	}
	return word
}

// single shortens a word that ends with a double letter other than l, s or z. For example, "runn"
// becomes "run".
func single(word string) string {
	n := len(word)
	if n > 3 && word[n-1] == word[n-2] && !strings.ContainsRune("lsz", rune(word[n-1])) {
		return word[:n-1]
	}
	return word
}
