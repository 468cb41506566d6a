package tools

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"marvin/tools/internal/params"
)

// Personal contains the private values in the system text: the addresses and coordinates of saved
// places, the preferences, and the profile's name. The model always knows these values, so they do
// not count as private text in the conversation; otherwise a run without a user could not fetch
// pages. If a call sends such a value to a destination that the user did not name, Marvin judges
// the call as if the conversation contained private text.
type Personal []string

// carriedBy reports whether text contains one of the values, even if the value is percent-encoded,
// in base64 or hexadecimal, reversed, or written with different separators. It ignores words for
// which isTyped returns true, because the user typed them.
func (p Personal) carriedBy(text string, isTyped func(word string) bool) bool {
	if len(p) == 0 || text == "" {
		return false
	}
	texts := spellings(text)
	for _, value := range p {
		words := slices.DeleteFunc(wordsOf(value), func(word string) bool { return isTyped(word) })
		if carries(texts, words) {
			return true
		}
	}
	return false
}

// Holds reports whether the arguments of a call may contain private or untrusted text.
func (e Env) Holds(args json.RawMessage) bool {
	return e.Tainted != "" || e.Personal.carriedBy(strings.Join(params.JsonTexts(args), "\n"), e.Known.typedTerm)
}

// carries returns true if one of the given strings contains the value that consists of the given
// words. A single word must occur as a whole word, unless it is a number of at least four digits.
// If there are several words, at least half of them must occur, and at least two.
func carries(texts []string, words []string) bool {
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) == 0 {
		return false
	}
	for _, text := range texts {
		squeezed, parts, hits := squeeze(text), wordsOf(text), 0
		for _, word := range words {
			if slices.Contains(parts, word) || (len(words) > 1 || number(word)) && len(word) > 3 && strings.Contains(squeezed, word) {
				hits++
			}
		}
		if hits >= max(min(2, len(words)), (len(words)+1)/2) {
			return true
		}
	}
	return false
}

func number(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
}

// wordsOf extracts words and numbers from text. A word must have at least three letters or digits,
// and a number at least two digits. From a decimal number, wordsOf extracts only the first five
// digits, because coordinates are often rounded.
func wordsOf(text string) (words []string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.'
	}) {
		before, after, _ := strings.Cut(strings.Trim(word, "."), ".")
		if number(before) && number(after) && before != "" && after != "" {
			digits := before + after
			words = append(words, digits[:min(len(digits), 5)])
			continue
		}
		for _, part := range strings.Split(word, ".") {
			if len([]rune(part)) >= 3 || number(part) && len(part) >= 2 {
				words = append(words, part)
			}
		}
	}
	return words
}

func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// spellings returns the given text, its decoded forms, and its reverse.
func spellings(text string) []string {
	text = normalized(normalized(text)) + "\n" + text
	all := []string{text}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+/-_", r)
	}) {
		if len(word) < 6 {
			continue
		}
		for _, part := range append(strings.FieldsFunc(word, func(r rune) bool { return r == '/' }), word) {
			for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				if decoded, err := encoding.DecodeString(part); err == nil {
					all = append(all, string(decoded))
				}
			}
			if decoded, err := hex.DecodeString(part); err == nil {
				all = append(all, string(decoded))
			}
		}
	}
	backwards := []rune(text)
	slices.Reverse(backwards)
	return append(all, string(backwards))
}
