package offline

import "strings"

// heardWords caches which words of the patterns occur in a sentence. Most of the 2,500 phrases need
// a word that does not occur, and checking the words is faster than parsing the pattern.
type heardWords struct {
	sentence sentence
	book     *grammar
	known    map[string]likeness // keyed by the word in the pattern
	macros   [2]map[string]bool  // results by macro name, for loose and for exact matches
}

// likeness is the result of comparing a word of a pattern with the words of the sentence.
type likeness byte

const (
	unsaid    likeness = iota + 1 // the word does not occur
	misspoken                     // only a misspelling of the word occurs
	asSaid
)

func hear(s sentence, g *grammar) *heardWords {
	return &heardWords{sentence: s, book: g, known: make(map[string]likeness, 2<<10), macros: [2]map[string]bool{{}, {}}}
}

// mayMatch reports whether the sentence has every word that a pattern needs. If exact is true,
// misspelled words do not count.
func (h *heardWords) mayMatch(pattern string, exact bool) bool {
	may, _ := h.anyMayMatch(pattern, 0, exact)
	return may
}

// anyMayMatch is like mayMatch, but checks only the group of alternatives that begins at text[at].
// The second result is the position of the group's closing bracket, or len(text).
func (h *heardWords) anyMayMatch(text string, at int, exact bool) (may bool, end int) {
	may = true
	for at < len(text) {
		switch text[at] {
		case ' ':
			at++
			continue
		case ')', ']':
			return may, at
		case '|':
			return true, closingBracket(text, at)
		case '[':
			at = closingBracket(text, at+1) + 1
			continue
		case '(':
			may, at = h.anyMayMatch(text, at+1, exact)
			at++
		case '{':
			at = indexAfter(text, at, '}')
			continue
		case '<':
			end := indexAfter(text, at, '>')
			may = h.mayMacro(text[at+1:max(end-1, at+1)], exact)
			at = end
		default:
			end := wordEnd(text, at)
			may = h.says(text[at:end], exact)
			at = end
		}
		if may {
			continue
		}
		if at = alternative(text, at); at >= len(text) || text[at] != '|' {
			return false, at
		}
		at, may = at+1, true
	}
	return may, at
}

func (h *heardWords) mayMacro(name string, exact bool) bool {
	memo := h.macros[0]
	if exact {
		memo = h.macros[1]
	}
	may, known := memo[name]
	if one := h.book.macros[name]; !known && one != nil {
		may = h.mayMatch(one.pattern, exact)
		memo[name] = may
	}
	return may
}

func (h *heardWords) says(text string, exact bool) bool {
	like, known := h.known[text]
	if !known {
		like = unsaid
		want := folded(text)
		for i := range h.sentence.words {
			like = max(like, h.sentence.words[i].compare(want))
		}
		h.known[text] = like
	}
	return like == asSaid || like == misspoken && !exact
}

// endsWord contains the characters that end a word in a pattern.
const endsWord = " |()[]{}<>"

var wordEnds = func() (is [256]bool) {
	for i := range endsWord {
		is[endsWord[i]] = true
	}
	return is
}()

func wordEnd(text string, at int) int {
	for at++; at < len(text) && !wordEnds[text[at]]; at++ {
	}
	return at
}

func indexAfter(text string, at int, sign byte) int {
	if i := strings.IndexByte(text[at:], sign); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// closingBracket returns the index of the bracket that closes the group at text[at]. If the group
// is not closed, the index is len(text).
func closingBracket(text string, at int) int {
	for at < len(text) {
		if at = alternative(text, at); at >= len(text) || text[at] != '|' {
			break
		}
		at++
	}
	return at
}

// alternative returns the position of the next "|" or closing bracket outside nested brackets, or
// len(text).
func alternative(text string, at int) int {
	for depth := 0; at < len(text); at++ {
		switch text[at] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth == 0 {
				return at
			}
			depth--
		case '|':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

func addWords(words map[string]bool, text string) {
	for at := 0; at < len(text); {
		switch text[at] {
		case ' ', '|', '(', ')', '[', ']':
			at++
		case '{':
			at = indexAfter(text, at, '}')
		case '<':
			at = indexAfter(text, at, '>')
		default:
			end := wordEnd(text, at)
			if word := text[at:end]; !words[word] {
				words[folded(word)] = true
			}
			at = end
		}
	}
}

func (w *word) compare(want string) likeness {
	switch {
	case w.quoted:
		return unsaid
	case w.is(want):
		return asSaid
	case lexicon().misspelt(w.folded, want):
		return misspoken
	}
	return unsaid
}

// is returns true if w matches want. It accepts "ae", "oe" and "ue" for German umlauts.
func (w *word) is(want string) bool {
	return w.folded == want || len(w.folded) > len(want) && lexicon().dotless(w.folded, want)
}
