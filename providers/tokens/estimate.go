package tokens

import (
	"sync"
	"unicode/utf8"
)

// class is the kind of character that a byte belongs to.
type class uint8

const (
	none class = iota // the class before the first byte
	letter
	digit
	blank
	newline
	symbol
	within // a continuation byte, or the first byte of a two-byte character
	three  // the first byte of a three-byte character, such as a Chinese character
	four   // the first byte of a four-byte character, such as an emoji
)

// shares contains, for each class, the cost of the first byte of a run and the cost of each further
// byte, in thousandths of a token. No byte costs more than one token; see [Bound].
var shares = [...]struct{ first, more uint16 }{
	letter: {500, 140}, digit: {950, 950}, blank: {0, 30}, newline: {500, 150}, symbol: {980, 80},
	within: {100, 100}, three: {550, 550}, four: {1000, 1000},
}

// estimate approximates the number of tokens that OpenAI's o200k_base encoding produces for text.
func estimate(text string) int {
	table := tables()
	total, before := 0, none
	for i := range len(text) {
		char := text[i]
		total += int(table.shares[before][char])
		before = table.classes[char]
	}
	return (total + 999) / 1000
}

// table is a lookup table for token estimates. An estimate takes 4 ms per MB of text with the
// table, and 7 ms without it.
type table struct {
	classes [256]class
	// shares[c][b] is the cost of byte b after a byte of class c, in thousandths of a token.
	shares [four + 1][256]uint16
}

var tables = sync.OnceValue(func() *table {
	t := new(table)
	for i := range t.classes {
		now := classOf(byte(i))
		t.classes[i] = now
		for before := range t.shares {
			t.shares[before][i] = shares[now].first
		}
		t.shares[now][i] = shares[now].more
	}
	return t
})

func classOf(char byte) class {
	switch {
	case 'a' <= char && char <= 'z', 'A' <= char && char <= 'Z':
		return letter
	case char == ' ', char == '\t':
		return blank
	case '0' <= char && char <= '9':
		return digit
	case char == '\n', char == '\r':
		return newline
	case char < utf8.RuneSelf:
		return symbol
	case char < 0xe0:
		return within
	case char < 0xf0:
		return three
	}
	return four
}
