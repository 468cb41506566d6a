package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// word is a word in a request, normalized for the comparison with phrases. Several words can have
// the same position: "what's" becomes "what" and "is".
type word struct {
	folded     string
	start, end int // the position in the request, including quotes
	quoted     bool
}

// sentence is a request and its words. A colon counts as a word. Other punctuation marks are
// dropped.
type sentence struct {
	request string
	words   []word
}

// gluedSigns matches a number with an attached symbol: $30, 30€ or 20%.
var gluedSigns = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([$€£¥])(\d[\d.,]*)$|^(\d[\d.,]*)([$€£¥%]|°[CcFf]?)$`)
})

// These patterns match several words that are written as one: French words shortened before a
// vowel, French verbs and pronouns joined by a hyphen, and German compounds such as
// "Python-Dateien".
var (
	elisions = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(d|l|j|m|t|s|c|n|qu|jusqu)'(.+)$`) })
	inverted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(.+?)-(?:t-)?(il|elle|on|je|tu|vous|nous|moi|toi|ce|la|le)$`)
	})
	compound = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([^-]+)-(dateien|datei|skripte|files|file)$`) })
)

// splitElision splits a French word at its apostrophe: for "l'heure" it returns "l'heure", "l" and
// "heure". It returns nil if the word contains no elision.
func splitElision(text string) []string {
	if strings.IndexByte(text, '\'') < 0 {
		return nil
	}
	return elisions().FindStringSubmatch(text)
}

func newSentence(request string) sentence {
	s := sentence{request: request}
	for _, t := range split(request) {
		switch {
		case t.quoted:
			s.words = append(s.words, word{t.folded, t.start, t.end, true})
		case t.text == ":" || !t.mark():
			s.cut(word{folded: folded(t.text), start: t.start, end: t.end})
		}
	}
	s.makeInformal()
	return s
}

// makeInformal makes a formal imperative informal: "erinnern Sie mich" becomes "erinnere mich".
func (s *sentence) makeInformal() {
	for i := 0; i+1 < len(s.words) && i < 6; i++ {
		order, ok := lexicon().tables["formal"][s.words[i].folded]
		if ok && s.words[i+1].folded == "sie" && !s.words[i].quoted && !s.words[i+1].quoted {
			s.words[i].folded = folded(order)
			s.words = append(s.words[:i+1], s.words[i+2:]...)
			return
		}
	}
}

func (s *sentence) glued(w word) []int {
	text := s.request[w.start:w.end]
	if !strings.ContainsAny(text, "$€£¥%°") {
		return nil
	}
	return gluedSigns().FindStringSubmatchIndex(text)
}

// cut divides w if necessary, and appends the result to the sentence. "what's", "$30" and "l'heure"
// become two words each.
func (s *sentence) cut(w word) {
	text := w.folded
	if full, ok := lexicon().forms[text]; ok {
		for piece := range strings.FieldsSeq(full) {
			s.words = append(s.words, word{folded: piece, start: w.start, end: w.end})
		}
		return
	}
	if m := s.glued(w); m != nil {
		for _, pair := range [][2]int{{2, 4}, {6, 8}} {
			if m[pair[0]] >= 0 {
				middle := w.start + m[pair[0]+1]
				s.words = append(s.words, word{folded: folded(s.request[w.start:middle]), start: w.start, end: middle}, word{folded: folded(s.request[middle:w.end]), start: middle, end: w.end})
			}
		}
		return
	}
	if m := splitElision(text); m != nil {
		middle := w.start + len(m[1]) + len(s.request[w.start+len(m[1]):w.end]) - len(afterApostrophe(s.request[w.start:w.end]))
		s.words = append(s.words, word{folded: m[1] + "'", start: w.start, end: middle})
		s.cut(word{folded: m[2], start: middle, end: w.end})
		return
	}
	if strings.IndexByte(text, '-') < 0 {
		s.add(w, text)
	} else if m := compound().FindStringSubmatch(text); m != nil {
		middle := w.start + strings.LastIndexByte(s.request[w.start:w.end], '-')
		s.add(word{start: w.start, end: middle}, m[1])
		s.add(word{start: middle + 1, end: w.end}, m[2])
	} else if m := inverted().FindStringSubmatch(text); m != nil {
		s.cut(word{folded: m[1], start: w.start, end: w.end})
		s.words = append(s.words, word{folded: m[2], start: w.start, end: w.end})
	} else {
		s.add(w, text)
	}
}

func (s *sentence) add(w word, text string) {
	if text = strings.TrimSuffix(text, "'s"); text != "" {
		s.words = append(s.words, word{folded: text, start: w.start, end: w.end})
	}
}

func afterApostrophe(text string) string {
	for _, apostrophe := range []string{"'", "’", "‘"} {
		if _, after, ok := strings.Cut(text, apostrophe); ok {
			return after
		}
	}
	return text
}

// raw reproduces the words' original text. For a single quoted word, raw omits the quotes.
func (s sentence) raw(words []word) string {
	first, last := words[0], words[len(words)-1]
	if len(words) == 1 && first.quoted {
		for _, t := range split(s.request[first.start:first.end]) {
			return t.text
		}
	}
	return s.request[first.start:last.end]
}

// adjacent returns true if the words are consecutive in the request and can form one value. The
// order in s can differ, because [sentence.otherwise] moves verbs.
func (s sentence) adjacent(words []word) bool {
	for i, w := range words {
		if w.end > len(s.request) || i > 0 && (w.start < words[i-1].start || w.start > words[i-1].end && strings.IndexFunc(s.request[words[i-1].end:w.start], unicode.IsLetter) >= 0) {
			return false
		}
	}
	return true
}

func (s sentence) equal(other sentence) bool {
	return s.request == other.request && slices.Equal(s.words, other.words)
}

// userWords contains the words for "me" and "us". Before one of these words, "denk dran" or
// "n'oublie pas de" is only a polite phrase. Elsewhere the phrase means a later task, as in "denk
// dran, build.log zu löschen".
var userWords = []string{"mich", "mir", "uns", "me", "m'", "nous"}

// polite returns three versions of s: without polite phrases at its beginning and end, without
// polite phrases at its end, and unchanged.
func (s sentence) polite() []sentence {
	end, whole := s, s
	end.words = withoutEnd(s.words)
	bare := end
	for {
		n := longestPrefix(bare.words, lexicon().courtesyWords["before"])
		if asks := longestPrefix(bare.words, lexicon().courtesyWords["before me"]); n == 0 && asks < len(bare.words) && slices.Contains(userWords, bare.words[asks].folded) {
			n = asks
		}
		if n == 0 || n == len(bare.words) {
			break
		}
		bare.words = bare.words[n:]
	}
	return []sentence{bare, end, whole}
}

// withoutEnd removes courtesy words from the end of a request. At least one word remains.
func withoutEnd(words []word) []word {
	for {
		n := longestSuffix(words, lexicon().courtesyWords["behind"])
		if n == 0 || n == len(words) {
			return words
		}
		words = words[:len(words)-n]
	}
}

func longestPrefix(words []word, list [][]string) (longest int) {
	for _, phrase := range list {
		if len(phrase) > longest && len(phrase) <= len(words) && matchesPhrase(words[:len(phrase)], phrase) {
			longest = len(phrase)
		}
	}
	return longest
}

func longestSuffix(words []word, list [][]string) (longest int) {
	for _, phrase := range list {
		if len(phrase) > longest && len(phrase) <= len(words) && matchesPhrase(words[len(words)-len(phrase):], phrase) {
			longest = len(phrase)
		}
	}
	return longest
}

func matchesPhrase(words []word, phrase []string) bool {
	for i, w := range words {
		if w.quoted || w.folded != phrase[i] {
			return false
		}
	}
	return true
}
