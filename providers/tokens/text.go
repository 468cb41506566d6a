package tokens

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// tokenizer is safe for concurrent use once it is made.
var tokenizer = sync.OnceValue(func() *codec.Codec {
	made.Store(true)
	return codec.NewO200kBase()
})

// pieceBytes bounds what the tokenizer gets at once. On blanks with line breaks
// between them it is quadratic: 1 MB of "  \r\n" takes four minutes in one piece and
// 0.3 s in pieces of this size. A cut adds at most a token, and none at the end of
// a line: 0.05 % on source and prose.
const pieceBytes = 1 << 10

// countText is what o200k_base makes of a text.
func countText(text string) int {
	total := 0
	for len(text) > 0 {
		cut := pieceEnd(text)
		count, err := tokenizer().Count(text[:cut])
		if err != nil { // its regular expression gave up: take the most that it can be
			count = cut
		}
		total += count
		text = text[cut:]
	}
	return total
}

// pieceEnd is where a text may be cut: behind a line, in front of a word, or between
// two runes.
func pieceEnd(text string) int {
	if len(text) <= pieceBytes {
		return len(text)
	}
	window := text[:pieceBytes]
	if at := strings.LastIndexByte(window, '\n'); at >= pieceBytes/2 {
		return at + 1
	}
	if at := strings.LastIndexByte(window, ' '); at >= pieceBytes/2 {
		return at
	}
	cut := pieceBytes
	for cut > pieceBytes-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return cut
}
