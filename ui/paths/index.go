package paths

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"

	"marvin/ui/termsafe"
)

// Most is how many paths an index holds; what comes behind them is left out.
const Most = 1_000_000

// longest is the longest path that is kept.
const longest = 1024

// Index is the paths below a directory. Add fills it, Find looks; it may be looked in by
// several at once when nothing is added any more.
type Index struct {
	text  []byte   // the paths, one behind the other
	ends  []uint32 // where each ends
	masks []uint64 // which letters and digits each has
	last  []byte   // the directory of the path that was added last
}

// Add takes one more path, with slashes, and its directories before it. It reports false when
// no more are held. A path that a terminal would show as another one is left out: people could
// not see what they choose.
func (x *Index) Add(path []byte) (more bool) {
	if len(x.ends) >= Most {
		return false
	}
	if len(path) == 0 || len(path) > longest || !shownAsItIs(path) {
		return true
	}
	// Sorted as they come, a directory is new where the path leaves the last one.
	for at := bytes.IndexByte(path, '/'); at >= 0; {
		if dir := path[:at+1]; !bytes.HasPrefix(x.last, dir) {
			x.keep(dir)
		}
		next := bytes.IndexByte(path[at+1:], '/')
		if next < 0 {
			x.last = append(x.last[:0], path[:at+1]...)
			break
		}
		at += 1 + next
	}
	x.keep(path)
	return true
}

func shownAsItIs(path []byte) bool {
	for _, char := range path {
		if char < ' ' || char >= 0x7f {
			text := string(path)
			return termsafe.Line(text) == text
		}
	}
	return true
}

func (x *Index) keep(path []byte) {
	x.text = append(x.text, path...)
	x.ends = append(x.ends, uint32(len(x.text)))
	x.masks = append(x.masks, maskOf(path))
}

// Len is how many there are, directories included.
func (x *Index) Len() int { return len(x.ends) }

// Size is the memory that they take, in bytes.
func (x *Index) Size() int { return cap(x.text) + 4*cap(x.ends) + 8*cap(x.masks) }

func (x *Index) at(i int) []byte {
	begin := uint32(0)
	if i > 0 {
		begin = x.ends[i-1]
	}
	return x.text[begin:x.ends[i]]
}

// maskOf is a bit for each letter and digit that a text has, whatever its case.
func maskOf(text []byte) (mask uint64) {
	for _, char := range text {
		mask |= bits[char]
	}
	return mask
}

// bits and lower are the bit and the small letter of each byte.
var bits, lower = func() (bits [256]uint64, lower [256]byte) {
	for char := range 256 {
		lower[char] = byte(char)
		if char >= 'A' && char <= 'Z' {
			lower[char] += 'a' - 'A'
		}
		switch small := lower[char]; {
		case small >= 'a' && small <= 'z':
			bits[char] = 1 << (small - 'a')
		case small >= '0' && small <= '9':
			bits[char] = 1 << (26 + small - '0')
		case small == '_' || small == '-' || small == '.':
			bits[char] = 1 << (36 + uint64(strings.IndexByte("_-.", small)))
		}
	}
	return bits, lower
}()

// ranked is how many of the best are ranked by the library, which takes 2 µs for each.
const ranked = 300

// hit is a path with what it is worth: first where the word stands in it, then how short it is.
type hit struct {
	index int
	worth int
}

// Find lists at most limit paths in which the letters of a word stand in their order, the best
// first: those of recent before all others, then those whose name begins with the word, has
// it, or has its letters.
func (x *Index) Find(word string, limit int, recent []string) []string {
	wanted := []byte(strings.ToLower(strings.ReplaceAll(word, " ", "")))
	mask := maskOf(wanted)
	best := make([]hit, 0, 2*ranked)
	least := -1 << 30
	for i := range x.ends {
		if x.masks[i]&mask != mask {
			continue
		}
		worth, ok := worthOf(x.at(i), wanted, least)
		if !ok || worth <= least {
			continue
		}
		if best = append(best, hit{i, worth}); len(best) == cap(best) {
			best = top(best)
			least = best[len(best)-1].worth
		}
	}
	return x.rank(top(best), word, limit, recent)
}

// top keeps the best.
func top(hits []hit) []hit {
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(b.worth-a.worth, a.index-b.index) })
	return hits[:min(len(hits), ranked)]
}

// rank puts the best in order, with what was used lately first.
func (x *Index) rank(hits []hit, word string, limit int, recent []string) []string {
	type scored struct {
		path  string
		worth int
	}
	list := make([]scored, 0, len(hits))
	for _, hit := range hits {
		path := string(x.at(hit.index))
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

// What a word is worth by where it stands.
const (
	asRecent = 500_000
	asName   = 400_000 // the name begins with it
	inName   = 300_000
	inPath   = 200_000
	inOrder  = 100_000 // its letters, in the name
	anywhere = 0       // its letters
	most     = 50_000  // less for each character and each directory
)

// worthOf is false if the letters of a word, in small ones, do not stand in a path in order,
// or if it is worth no more than least: then the rest of the work is not done.
func worthOf(path, wanted []byte, least int) (worth int, ok bool) {
	end := len(path)
	if end > 0 && path[end-1] == '/' {
		end--
	}
	name := bytes.LastIndexByte(path[:end], '/') + 1
	kind := anywhere
	switch at := 0; {
	case len(wanted) == 0:
	case least >= asName:
		if !begins(path[name:], wanted) {
			return 0, false
		}
		kind = asName
	default:
		if at = indexOf(path[name:], wanted); at == 0 {
			kind = asName
		} else if at > 0 {
			kind = inName
		} else if least >= inName {
			return 0, false
		} else if bytes.IndexByte(wanted, '/') >= 0 && indexOf(path, wanted) >= 0 {
			kind = inPath
		} else if least >= inPath {
			return 0, false
		} else if inOrderIn(path[name:], wanted) {
			kind = inOrder
		} else if least >= inOrder || !inOrderIn(path, wanted) {
			return 0, false
		}
	}
	worth = kind + most - len(path)
	if worth <= least {
		return 0, false
	}
	worth -= 20 * bytes.Count(path[:end], []byte{'/'})
	return worth, worth > least
}

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

// indexOf is bytes.Index without regard to the case of path.
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

func inOrderIn(path, wanted []byte) bool {
	next := 0
	for _, char := range path {
		if lower[char] == wanted[next] {
			if next++; next == len(wanted) {
				return true
			}
		}
	}
	return false
}
