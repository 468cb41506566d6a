package view

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// Source has the items of a list that are too many to be held. Its methods may read a disk,
// and are called by several goroutines.
type Source interface {
	Len() int
	Item(index int) Item // to be drawn
	// Each visits the items as a search sees them, in any order, until more is false: Text,
	// Note and Words are enough.
	Each(visit func(index int, item Item) (more bool))
}

// Matches are the indices of the items of a source in which each word of a query is, the best
// first, as [List.Find] finds them. It may take its time: [List.Attach] takes what it found.
func Matches(ctx context.Context, source Source, query string) []int {
	words := strings.Fields(strings.ToLower(query))
	matches := make(matches, 0, source.Len())
	source.Each(func(index int, item Item) bool {
		matches.add(index, searchedOf(item), words)
		return ctx.Err() == nil
	})
	return matches.best()
}

// searched is an item as a search sees it.
type searched struct{ text, more string }

func searchedOf(item Item) searched {
	return searched{strings.ToLower(item.Text), strings.ToLower(item.Note + "\n" + item.Words)}
}

type matches []match

type match struct{ index, score int }

func (m *matches) add(index int, item searched, words []string) {
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

// The rank of a match by its place: at the beginning of the name, within it, or in the description.
// Scattered letters rank below all of them.
const (
	asBeginning = 400
	asWhole     = 300
	asPart      = 200
	asNote      = 100
)

// score is false if a word is nowhere.
func (s searched) score(words []string) (sum int, ok bool) {
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
