package view

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// Source provides the items of a list that is too long for memory. Its methods may read a disk, and
// several goroutines call them.
type Source interface {
	Len() int
	Item(index int) Item // for drawing
	// VisitItems calls the function visit for all items, in any order, until visit returns false. Only
	// the fields that a search uses, Text, Note and Words, must be set.
	VisitItems(visit func(index int, item Item) (more bool))
}

// Matches returns the indices of the matching items of a source, best first, by the rules of
// [List.Find]. The search may take a long time. The result is for [List.Attach].
func Matches(ctx context.Context, source Source, query string) []int {
	words := strings.Fields(strings.ToLower(query))
	matches := make(matches, 0, source.Len())
	source.VisitItems(func(index int, item Item) bool {
		matches.add(index, searchedOf(item), words)
		return ctx.Err() == nil
	})
	return matches.best()
}

// searchText is the text of an item in lower case, for searching.
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

// The ranks of a match: at the start of the name, at the start of another word of the name,
// elsewhere in the name, and in the description. A match by scattered letters ranks below all other
// matches.
const (
	asBeginning = 400
	asWhole     = 300
	asPart      = 200
	asNote      = 100
)

// score returns the rank of an item. Its second result is false if a word does not match.
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
