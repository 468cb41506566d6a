package o200k

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is what the pattern distinguishes of runes. Some are of both cases.
type class uint8

const (
	upper  class = 1 << iota // allowed in the first part of a word
	lower                    // allowed in its second part
	letter                   // not a mark
	numeral
	blank
	newline // carriage return or line feed; blank too
)

// classes are those of ASCII.
var classes = [utf8.RuneSelf]class{
	'\t': blank, '\v': blank, '\f': blank, ' ': blank, '\n': blank | newline, '\r': blank | newline,
	'0': numeral, '1': numeral, '2': numeral, '3': numeral, '4': numeral,
	'5': numeral, '6': numeral, '7': numeral, '8': numeral, '9': numeral,
}

// first is the class of the first rune of a text and its length, 0 at the end.
func first(text string) (class, int) {
	if text == "" {
		return 0, 0
	}
	if at := text[0]; at < utf8.RuneSelf {
		switch {
		case 'a' <= at && at <= 'z':
			return lower | letter, 1
		case 'A' <= at && at <= 'Z':
			return upper | letter, 1
		}
		return classes[at], 1
	}
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case unicode.Is(unicode.Ll, r):
		return lower | letter, size
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper | letter, size
	case unicode.IsLetter(r):
		return upper | lower | letter, size
	case unicode.Is(unicode.M, r):
		return upper | lower, size
	case unicode.IsNumber(r):
		return numeral, size
	case unicode.IsSpace(r):
		return blank, size
	}
	return 0, size
}

// run is how many bytes at the start of a text are of a class.
func run(text string, of class) int {
	at := 0
	for {
		found, size := first(text[at:])
		if found&of == 0 {
			return at
		}
		at += size
	}
}

// next is where the first piece of a text ends. It does what the published pattern
// of o200k_base does, one branch for each of its alternatives:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func next(text string) int {
	kind, size := first(text)
	ahead := 0 // the length of a rune that a word may have in front
	if kind&(newline|letter|numeral) == 0 {
		ahead = size
	}
	for _, word := range []func(string) int{lowerWord, upperWord} {
		if n := word(text[ahead:]); n > 0 {
			return ahead + n + contraction(text[ahead+n:])
		}
		if n := word(text); ahead > 0 && n > 0 {
			return n + contraction(text[n:])
		}
	}
	if kind&numeral != 0 {
		return numerals(text)
	}
	if n := symbols(text); n > 0 {
		return n
	}
	return blanks(text)
}

// lowerWord matches [upper]*[lower]+, giving back as much of the first part as the
// second needs.
func lowerWord(text string) int {
	end := run(text, upper)
	if more := run(text[end:], lower); more > 0 {
		return end + more
	}
	for end > 0 {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		if found, _ := first(text[end-size:]); found&lower != 0 {
			return end
		}
		end -= size
	}
	return 0
}

// upperWord matches [upper]+[lower]*.
func upperWord(text string) int {
	end := run(text, upper)
	if end == 0 {
		return 0
	}
	return end + run(text[end:], lower)
}

// contraction is the length of an English ending such as 's.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(text) >= 3 {
		switch strings.ToLower(text[1:3]) {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

func numerals(text string) int {
	at := 0
	for range 3 {
		found, size := first(text[at:])
		if found&numeral == 0 {
			break
		}
		at += size
	}
	return at
}

// symbols matches neither blanks nor letters nor numerals, and the lines that end
// behind them.
func symbols(text string) int {
	at := 0
	if text[0] == ' ' {
		at = 1
	}
	begin := at
	for at < len(text) {
		found, size := first(text[at:])
		if found&(blank|letter|numeral) != 0 {
			break
		}
		at += size
	}
	if at == begin {
		return 0
	}
	for at < len(text) && strings.IndexByte("\r\n/", text[at]) >= 0 {
		at++
	}
	return at
}

// blanks ends after the last line break, else before the last blank, which belongs to the next
// word.
func blanks(text string) int {
	end := run(text, blank)
	if at := strings.LastIndexAny(text[:end], "\r\n"); at >= 0 {
		return at + 1
	}
	_, size := utf8.DecodeLastRuneInString(text[:end])
	if end == len(text) || end == size {
		return end
	}
	return end - size
}
