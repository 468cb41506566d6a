package offline

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

var (
	//go:embed phrases/en.txt
	englishText string
	//go:embed phrases/de.txt
	germanText string
	//go:embed phrases/fr.txt
	frenchText string

	phraseFiles = map[string]string{"en": englishText, "de": germanText, "fr": frenchText}
)

// grammarOf returns the phrases of a language. It reads each language's file on first use, because
// most English requests need no other language. A test checks the files for errors.
var grammarOf = func() func(locale string) *grammar {
	book := map[string]func() *grammar{}
	for locale, text := range phraseFiles {
		book[locale] = sync.OnceValue(func() *grammar { return readGrammar(locale, text) })
	}
	return func(locale string) *grammar { return book[locale]() }
}()

// locales contains the languages in the order in which they are tried. If several match equally
// well, the first is used.
var locales = []string{"en", "de", "fr"}

// understood contains the phrase that matches a request. The phrase selects a tool or an answer.
type understood struct {
	match
	say     string // the name of the answer to the request
	several bool   // the request seems to ask for several things
}

// understand compares a request with the phrases of all languages. The frames are tried only if no
// phrase matches.
func (m *Model) understand(request string, usable func(string) (Tool, bool)) (understood, bool) {
	if len(request) > longestPhrase {
		return understood{}, false
	}
	whole := newSentence(request)
	if len(whole.words) == 0 {
		return understood{}, false
	}
	polite := whole.polite()
	best, found := findPhrase(polite, usable)
	if bare := polite[0]; !found {
		best, found = findPhrase(bare.otherwise(len(bare.words) < len(whole.words)), usable)
	}
	if !found {
		return findPoliteFrame(whole, usable)
	}
	u := understood{match: best}
	if name, ok := strings.CutPrefix(best.phrase.tool, "!"); ok {
		u.say = name
		return u, true
	}
	u.several = best.several()
	return u, true
}

// findPhrase finds the phrase that matches one of the sentences. The match with the most exact
// words wins.
func findPhrase(list []sentence, usable func(string) (Tool, bool)) (best match, found bool) {
	most := 0.0
	for _, s := range list {
		most = max(most, wordCounts*float64(len(s.words)))
	}
	for i, s := range list {
		if i == 2 && found {
			break // "please" is rarely part of a value
		}
		if i > 0 && s.equal(list[i-1]) {
			continue // most requests have no "please"
		}
		for _, locale := range locales {
			if found && best.weight >= most-0.01 {
				return best, true // no other phrase can match more words
			}
			book := grammarOf(locale)
			heard := hear(s, book)
			for i := range book.phrases {
				p := &book.phrases[i]
				if !heard.mayMatch(p.pattern, false) {
					continue
				}
				tool, ok := usable(p.tool)
				if !ok || !heard.mayMatch(p.pattern, tool.Writes) {
					continue
				}
				one, ok := p.matchSentence(s, tool.Writes)
				one.weight -= freeCounts * float64(max(len(s.words)-len(list[0].words), 0)) // introductory words are not part of a value
				if ok && (!found || one.weight > best.weight+0.01) {
					best, found = one, true
				}
			}
		}
	}
	return best, found
}

// longestPhrase is the maximum length, in bytes, of a request that is compared with the phrases. A
// longer request is probably dictated text.
const longestPhrase = 4000

// several detects a likely second request in a free-text value. Quoted and dictated text is
// ignored.
func (m match) several() bool {
	for _, name := range m.free {
		text, ok := m.values[name].(string)
		if !ok || m.phrase.kindOf(name) == "rest" {
			continue
		}
		if s := newSentence(text); lexicon().second(s.words) {
			return true
		}
	}
	return false
}

func (p *phrase) kindOf(name string) string {
	var find func([]node) string
	find = func(nodes []node) string {
		for _, n := range nodes {
			if n.slot != nil && n.slot.name == name {
				return n.slot.kind
			}
			for _, alternative := range n.alternatives {
				if kind := find(alternative); kind != "" {
					return kind
				}
			}
		}
		return ""
	}
	return find(p.parsed())
}

// toReading converts u to a reading for the tool. Values that are not parameters of the tool are
// omitted.
func (u understood) toReading(tool Tool) (reading, bool) {
	r, ok := newReading(tool, map[string]any{})
	if !ok {
		return reading{}, false
	}
	for name, value := range u.values {
		if property, known := r.shape.Properties[name]; known {
			r.values[name] = convertValue(value, property.Type)
		}
	}
	r.missing = r.shape.lacking(r.values)
	if wanted, ok := u.values["?"].(string); ok { // the phrase makes this optional parameter required
		r.missing = append(r.missing, wanted)
	}
	return r, true
}

// convertValue converts a string to the given JSON Schema type. A value that cannot be converted is
// returned unchanged.
func convertValue(value any, kind string) any {
	text, ok := value.(string)
	if !ok {
		return value
	}
	switch kind {
	case "boolean":
		return text == "true"
	case "integer":
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	case "number":
		if n, ok := parseNumber(text); ok {
			return n
		}
	}
	return value
}
