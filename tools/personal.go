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

// Personal are the private values in the system text: addresses and coordinates of saved
// places, preferences, the name of the profile. A conversation holds them from its beginning,
// so a call that carries one to a place that the user did not name is treated as one after
// private text was read. What is compared is the content: were the whole conversation private from
// its start, a run without a person could ask for no page at all.
type Personal []string

// carriedBy says whether a text carries one of the values, also percent-encoded, in base64 or
// hexadecimal, backwards, or with other separators. said tells which words the user typed:
// those are no secret.
func (p Personal) carriedBy(text string, said func(word string) bool) bool {
	if len(p) == 0 || text == "" {
		return false
	}
	texts := spellings(text)
	for _, value := range p {
		words := slices.DeleteFunc(wordsOf(value), func(word string) bool { return said(word) })
		if carries(texts, words) {
			return true
		}
	}
	return false
}

// Holds says whether the arguments of a call may carry what is private or from strangers.
func (e Env) Holds(args json.RawMessage) bool {
	return e.Tainted != "" || e.Personal.carriedBy(strings.Join(params.JsonTexts(args), "\n"), e.Known.typedTerm)
}

// carries says whether one of the texts has a value of these words: the only one as a word, of
// more at least two and half of them.
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

// wordsOf are the words of a text of three letters or more, and its numbers of two digits or
// more. A number with a point is one word of its first five digits, as coordinates are
// rounded.
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

// squeeze keeps the letters and digits of a text.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// spellings are a text and what simple encodings in it stand for.
func spellings(text string) []string {
	text = plain(plain(text)) + "\n" + text
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
