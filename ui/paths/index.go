package paths

import (
	"bytes"
	"strings"

	"marvin/ui/termsafe"
)

// maxPaths is the maximum number of paths in an index. Further paths are omitted.
const maxPaths = 1_000_000

// longest is the maximum number of bytes in a path.
const longest = 1024

// Index contains the paths below a directory. Once all paths are added, Find is safe for concurrent
// use.
type Index struct {
	text  []byte   // all paths, concatenated
	ends  []uint32 // end of each path
	names []uint16 // start of the name in each path
	masks []uint64 // mask of each path; see maskOf
	pairs []uint64 // letter pairs of each name; see pairsOf
	last  []byte   // directory of the last added path
}

// EmptyLike returns an empty index with slightly more capacity than x uses. This avoids
// reallocation when the caller rebuilds the index.
func (x *Index) EmptyLike() *Index {
	const more = 16 // the capacity grows by one sixteenth
	grown := func(n int) int { return n + n/more }
	return &Index{
		text: make([]byte, 0, grown(len(x.text))), ends: make([]uint32, 0, grown(len(x.ends))), names: make([]uint16, 0, grown(len(x.names))),
		masks: make([]uint64, 0, grown(len(x.masks))), pairs: make([]uint64, 0, grown(len(x.pairs))),
	}
}

// Add adds the missing parent directories of a slash-separated path, and then the path. It returns
// false when the index is full. It omits a path that [termsafe.Line] would change, because users
// must see what they choose.
func (x *Index) Add(path []byte) (more bool) {
	if len(x.ends) >= maxPaths {
		return false
	}
	if len(path) == 0 || len(path) > longest || !shownAsItIs(path) {
		return true
	}
	// Paths arrive sorted, so a directory is new if the preceding path was outside it.
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
	name := bytes.LastIndexByte(bytes.TrimSuffix(path, []byte{'/'}), '/') + 1
	x.names = append(x.names, uint16(name))
	x.pairs = append(x.pairs, pairsOf(path[name:], true))
}

func (x *Index) pathAt(i int) []byte {
	begin := uint32(0)
	if i > 0 {
		begin = x.ends[i-1]
	}
	return x.text[begin:x.ends[i]]
}

// maskOf returns a bit mask of the letters, digits, underscores, hyphens and periods in text.
// Uppercase letters count as lowercase.
func maskOf(text []byte) (mask uint64) {
	for _, char := range text {
		mask |= bits[char]
	}
	return mask
}

// pairsOf returns the pairs of adjacent letters in text, as a filter of 64 bits. Each pair sets one
// bit. A name can contain a word only if the name's filter has all bits of the word's filter. If
// atStart is true, the text is the start of a name, and the slash before the name forms a pair with
// the first letter.
func pairsOf(text []byte, atStart bool) (pairs uint64) {
	before := byte('/')
	for i, char := range text {
		small := lower[char]
		if i > 0 || atStart {
			pairs |= 1 << ((uint32(before)*37 + uint32(small)*101) * 2654435769 >> 26)
		}
		before = small
	}
	return pairs
}

// bits contains the bit of each byte for maskOf, and lower contains the lowercase form of each
// byte.
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
