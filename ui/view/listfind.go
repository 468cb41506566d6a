package view

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// Source provides the items of a list that is too long for memory. Its methods may read from disk.
// They must be safe for concurrent use.
type Source interface {
	Len() int
	Item(index int) Item // for drawing
	// VisitItems passes each item to a function, in any order, until the function returns false.
	// The items need only the fields that a search uses: Text, Note and Words.
	VisitItems(visit func(index int, item Item) (more bool))
}

// Matches searches a source as [List.Find] searches a list, and returns the indices of the matching
// items, best first. If ctx is canceled, Matches returns the matches found so far. The caller
// passes the result to [List.Attach].
func Matches(ctx context.Context, source Source, query string) []int {
	words := strings.Fields(strings.ToLower(query))
	matches := make(matches, 0, source.Len())
	source.VisitItems(func(index int, item Item) bool {
		matches.add(index, searchedOf(item), words)
		return ctx.Err() == nil
	})
	return matches.best()
}

// searchText contains an item's searchable text in lower case.
type searchText struct{ text, more string }

func searchedOf(item Item) searchText {
	return searchText{strings.ToLower(item.Text), strings.ToLower(item.Note + "\n" + item.Words)}
}

type matches []match

type match struct{ index, score int }

func (m *matches) add(index int, item searchText, words []string) {
	if score, ok := item.score(words); ok {
		*m = append(*m, match{index, score})
	}
}

func (m matches) best() []int {
	slices.SortFunc(m, func(a, b match) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.index, b.index)) })
	found := make([]int, len(m))
	for i, match := range m {
		found[i] = match.index
	}
	return found
}

// The score of a word depends on where the item contains the word. A fuzzy match scores less than
// any of these constants.
const (
	asBeginning = 400 // at the start of the name
	asWhole     = 300 // after a separator in the name
	asPart      = 200 // inside a word in the name
	asNote      = 100 // in Item.Note or Item.Words
)

// score returns the sum of the scores of all words. If a word does not match, ok is false.
func (s searchText) score(words []string) (sum int, ok bool) {
	for _, word := range words {
		at := strings.Index(s.text, word)
		switch {
		case at == 0:
			sum += asBeginning
		case at > 0 && strings.IndexByte(" -_/.", s.text[at-1]) >= 0:
			sum += asWhole
		case at > 0:
			sum += asPart
		case strings.Contains(s.more, word):
			sum += asNote
		default:
			letters := fuzzy.FindNoSort(word, []string{s.text})
			if len(letters) == 0 {
				return 0, false
			}
			sum += min(letters[0].Score, asNote-1)
		}
	}
	return sum, true
}
