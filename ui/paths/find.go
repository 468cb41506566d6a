package paths

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// maxRanked is the maximum number of hits that bestHits returns. Package fuzzy takes 2 µs to rank
// each hit.
const maxRanked = 300

// hit is a path with its rank. The rank depends first on where the path contains the word, and then
// on the length of the path.
type hit struct {
	index int
	worth int
}

// Find returns the best paths that contain all letters of the word in the same order. The limit is
// the maximum number of paths. Recently used paths come first, then names that begin with the word,
// then names that contain the word, and then all other matches.
func (x *Index) Find(word string, limit int, recent []string) []string {
	wanted := []byte(strings.ToLower(strings.ReplaceAll(word, " ", "")))
	hits := x.bestHits(wanted, limit)
	for _, i := range x.located(recent) {
		if worth, ok := worthOf(x.pathAt(i), wanted, -1<<30); ok && !slices.ContainsFunc(hits, func(one hit) bool { return one.index == i }) {
			hits = append(hits, hit{i, worth})
		}
	}
	return x.rank(hits, word, limit, recent)
}

// bestHits finds the best paths, regardless of recent use. It searches for names that begin with
// the wanted text, then for names that contain the text, and then for all other matches. It stops
// when it has enough paths.
func (x *Index) bestHits(wanted []byte, limit int) []hit {
	if len(wanted) > 0 && !hasInnerSlash(wanted) {
		for _, begins := range []bool{true, false} {
			if best := x.findNames(wanted, begins); len(best) >= limit {
				return best
			}
		}
	}
	return x.findLetters(wanted)
}

// findNames finds paths whose names contain the word or, if start is true, begin with the word. It
// skips names that lack one or more of the word's letter pairs. It also skips paths that are too
// long to be among the best results.
func (x *Index) findNames(wanted []byte, start bool) []hit {
	best, least := make([]hit, 0, 2*maxRanked), -1<<30
	pairs, kind := pairsOf(wanted, start), inName
	if start {
		kind = asName
	}
	from := uint32(0)
	for i, has := range x.pairs {
		begin, end := from, x.ends[i]
		from = end
		if has&pairs != pairs || asName+most-int(end-begin) <= least {
			continue
		}
		path := x.text[begin:end]
		at := 0
		if name := path[x.names[i]:]; start && !begins(name, wanted) {
			continue
		} else if !start {
			if at = indexOf(name, wanted); at < 0 {
				continue
			}
		}
		worth := kind + most - len(path) - 20*parentCount(path)
		if !start && at == 0 {
			worth += asName - inName
		}
		best, least = keep(best, hit{i, worth}, least)
	}
	return top(best)
}

// findLetters finds paths that contain the letters of the word in order, with any characters in
// between.
func (x *Index) findLetters(wanted []byte) []hit {
	best, least, mask := make([]hit, 0, 2*maxRanked), -1<<30, maskOf(wanted)
	dir := directory{wanted: wanted, across: hasInnerSlash(wanted)}
	highest := asName
	if dir.across {
		highest = inPath
	}
	from := uint32(0)
	for i, has := range x.masks {
		begin, end := from, x.ends[i]
		from = end
		if has&mask != mask || highest+most-int(end-begin) <= least {
			continue
		}
		path := x.text[begin:end]
		if worth, ok := dir.worth(path, int(x.names[i]), least); ok {
			best, least = keep(best, hit{i, worth}, least)
		}
	}
	return top(best)
}

// hasInnerSlash reports whether a word contains a slash before its last character. Such a word
// cannot match the name of a file or directory.
func hasInnerSlash(wanted []byte) bool {
	return bytes.IndexByte(bytes.TrimSuffix(wanted, []byte{'/'}), '/') >= 0
}

// keep adds a hit to the best hits if the hit is worth more than the minimum. It returns the best
// hits and the minimum for the next hit.
func keep(best []hit, one hit, least int) ([]hit, int) {
	if one.worth <= least {
		return best, least
	}
	if best = append(best, one); len(best) == cap(best) {
		best = top(best)
		least = best[len(best)-1].worth
	}
	return best, least
}

// located determines the positions of paths in the index. It skips unknown paths.
func (x *Index) located(paths []string) (found []int) {
	if len(paths) == 0 {
		return nil
	}
	var lengths [longest + 1]bool
	for _, path := range paths {
		lengths[min(len(path), longest)] = true
	}
	from := uint32(0)
	for i, end := range x.ends {
		if length := end - from; lengths[length] && slices.Contains(paths, string(x.text[from:end])) {
			found = append(found, i)
		}
		from = end
	}
	return found
}

// top sorts the hits, best first, and returns at most the first maxRanked hits.
func top(hits []hit) []hit {
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(b.worth-a.worth, a.index-b.index) })
	return hits[:min(len(hits), maxRanked)]
}

// rank sorts the best hits, with recently used paths first. It returns the first paths, up to the
// limit.
func (x *Index) rank(hits []hit, word string, limit int, recent []string) []string {
	type scored struct {
		path  string
		worth int
	}
	list := make([]scored, 0, len(hits))
	for _, hit := range hits {
		path := string(x.pathAt(hit.index))
		worth := hit.worth
		if word != "" {
			name := path[strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1:]
			if match := fuzzy.FindNoSort(word, []string{name}); len(match) > 0 {
				worth += min(max(match[0].Score, -100), 100)
			}
		}
		if at := slices.Index(recent, path); at >= 0 {
			worth += asRecent - at*10
		}
		list = append(list, scored{path, worth})
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.worth - a.worth })
	var found []string
	for _, one := range list[:min(limit, len(list))] {
		found = append(found, one.path)
	}
	return found
}

// The position of a match determines its rank.
const (
	asRecent   = 500_000
	asName     = 400_000 // the name begins with the word
	inName     = 300_000
	inPath     = 200_000
	inItsOrder = 100_000 // the name contains the word's letters in the same order
	whole      = 0       // the whole path contains the word's letters in the same order
	most       = 50_000  // maximum bonus; long or deep paths receive less
)

// A directory records how a directory path matches the word. Consecutive paths in the same
// directory share the record.
type directory struct {
	wanted []byte
	path   []byte
	whole  bool // the word contains a slash, and path contains the word
	across bool // the word contains a slash before its last character, so names cannot match
	letter int  // number of letters that inOrder found in path
}

func (d *directory) enter(path []byte) {
	if d.path != nil && bytes.Equal(d.path, path) {
		return
	}
	d.path, d.letter = path, inOrder(path, d.wanted, 0)
	d.whole = len(d.wanted) > 0 && bytes.IndexByte(d.wanted, '/') >= 0 && indexOf(path, d.wanted) >= 0
}

// worth returns the rank of a path whose last element begins at the given index. ok is true if the
// path matches the word and ranks above the minimum.
func (d *directory) worth(path []byte, name, least int) (worth int, ok bool) {
	kind := whole
	if len(d.wanted) > 0 {
		d.enter(path[:name])
		if kind = d.kind(path, name, least); kind < 0 {
			return 0, false
		}
	}
	if worth = kind + most - len(path); worth <= least {
		return 0, false
	}
	worth -= 20 * parentCount(path)
	return worth, worth > least
}

// kind returns the kind of the match, or -1 if no match can rank above the minimum.
func (d *directory) kind(path []byte, name, least int) int {
	at := -1
	if !d.across {
		at = indexOf(path[name:], d.wanted)
	}
	switch {
	case at == 0:
		return asName
	case at > 0:
		return inName
	case least >= inName:
		return -1
	case d.whole, bytes.IndexByte(d.wanted, '/') >= 0 && indexOf(path[max(name-len(d.wanted), 0):], d.wanted) >= 0:
		return inPath
	case least >= inPath:
		return -1
	case inOrder(path[name:], d.wanted, 0) == len(d.wanted):
		return inItsOrder
	case least >= inItsOrder || inOrder(path[name:], d.wanted, d.letter) < len(d.wanted):
		return -1
	}
	return whole
}

// worthOf returns the rank of one path.
func worthOf(path, wanted []byte, least int) (worth int, ok bool) {
	name := bytes.LastIndexByte(bytes.TrimSuffix(path, []byte{'/'}), '/') + 1
	return (&directory{wanted: wanted}).worth(path, name, least)
}

func parentCount(path []byte) int { return bytes.Count(path[:max(len(path)-1, 0)], []byte{'/'}) }

func begins(path, wanted []byte) bool {
	if len(path) < len(wanted) {
		return false
	}
	for i, char := range wanted {
		if lower[path[i]] != char {
			return false
		}
	}
	return true
}

// indexOf is like bytes.Index but ignores the case of the letters in path. The wanted text must be
// lowercase and not empty.
func indexOf(path, wanted []byte) int {
	for at := 0; at+len(wanted) <= len(path); at++ {
		if lower[path[at]] != wanted[0] {
			continue
		}
		same := 1
		for same < len(wanted) && lower[path[at+same]] == wanted[same] {
			same++
		}
		if same == len(wanted) {
			return at
		}
	}
	return -1
}

// inOrder searches path for the letters of wanted[next:], one after the other. It returns the index
// in wanted of the first missing letter, or len(wanted) if path contains all letters.
func inOrder(path, wanted []byte, next int) int {
	for _, char := range path {
		if next == len(wanted) {
			break
		}
		if lower[char] == wanted[next] {
			next++
		}
	}
	return next
}
