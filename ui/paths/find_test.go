package paths

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tier ranks a match in a path by a slow reference search: 4 if the name begins with the word, 3
// if the name contains it, 2 if the path contains a word with a slash, 1 for its letters in the
// name, 0 for its letters in the path, -1 for no match.
func tier(path, word string) int {
	path, word = strings.ToLower(path), strings.ToLower(word)
	name := path[strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1:]
	letters := func(text string) bool {
		for _, char := range word {
			at := strings.IndexRune(text, char)
			if at < 0 {
				return false
			}
			text = text[at+1:]
		}
		return true
	}
	switch {
	case strings.HasPrefix(name, word):
		return 4
	case strings.Contains(name, word):
		return 3
	case strings.Contains(word, "/") && strings.Contains(path, word):
		return 2
	case letters(name):
		return 1
	case letters(path):
		return 0
	}
	return -1
}

func TestTheOrderOfWhatIsFound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const letters = "abcAB/._1"
	for range 15 {
		var paths []string
		for range 60 {
			var path strings.Builder
			for range 1 + random.IntN(14) {
				path.WriteByte(letters[random.IntN(len(letters))])
			}
			paths = append(paths, strings.Trim(path.String(), "/")+"z")
		}
		slices.Sort(paths) // the paths of a directory are consecutive
		x := indexOfAll(slices.Compact(paths)...)
		for range 40 {
			word := ""
			for range 1 + random.IntN(4) {
				word += string(letters[random.IntN(len(letters))])
			}
			var want []int
			for i := range x.Len() {
				if worth := tier(string(x.pathAt(i)), word); worth >= 0 {
					want = append(want, worth)
				}
			}
			slices.SortFunc(want, func(a, b int) int { return b - a })
			for _, limit := range []int{1, 5, maxRanked} {
				var got []int
				found := x.Find(word, limit, nil)
				for _, path := range found {
					got = append(got, tier(path, word))
				}
				if first := want[:min(limit, len(want))]; !slices.Equal(got, first) {
					t.Fatalf("%q finds %q, worth %v, not %v", word, found, got, first)
				}
			}
			if len(want) == 0 {
				continue
			}
			all := x.Find(word, maxRanked, nil)
			last := all[len(all)-1]
			if found := x.Find(word, 3, []string{"none", last}); found[0] != last || len(found) != min(3, len(want)) || slices.Contains(found[1:], last) {
				t.Fatalf("%q with %q used lately finds %q", word, last, found)
			}
		}
	}
}
