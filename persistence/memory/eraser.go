package memory

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Eraser erases facts, including their paraphrases, names and numbers, from text. It replaces each
// byte of a word with an asterisk, so that offsets do not change and JSON stays valid. The zero
// value erases nothing.
type Eraser struct {
	phrases  [][]string
	sets     []wordsOf
	marks    map[string]bool
	carriers []string // the words that mayContain searches for; nil disables the check
}

// wordsOf holds the meaningful words of a fact. A sentence that contains enough of these words
// counts as the same fact.
type wordsOf struct {
	words map[string]bool
	need  int // how many of the words are enough
}

// NewEraser returns an eraser that removes facts.
func NewEraser(facts ...Fact) (e Eraser) {
	e.marks = map[string]bool{}
	ascii := true
	for _, fact := range facts {
		var phrase []string
		carry := wordsOf{words: map[string]bool{}}
		for _, token := range tokens([]byte(fact.Text)) {
			phrase = append(phrase, token.word)
			if len(token.word) >= 3 && !commonWords[token.word] && !fillers[token.word] && !denials[token.word] && commonForms[token.word] == "" || numeric(token.word) {
				carry.words[token.word] = true
			}
		}
		if len(phrase) > 1 {
			e.phrases = append(e.phrases, phrase)
		}
		if count := len(carry.words); count > 1 {
			carry.need = max(2, (2*count+2)/3)
			e.sets = append(e.sets, carry)
		}
		for _, mark := range marksOf(fact.Text) {
			e.marks[mark] = true
		}
		for word := range carry.words {
			ascii = ascii && isASCII(word)
			e.carriers = append(e.carriers, word)
		}
		ascii = ascii && len(carry.words) > 0
	}
	for mark := range e.marks {
		ascii = ascii && isASCII(mark)
		e.carriers = append(e.carriers, mark)
	}
	if !ascii {
		e.carriers = nil
	}
	return e
}

func isASCII(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf })
}

func numeric(word string) bool {
	return len(word) > 1 && strings.ContainsFunc(word, unicode.IsDigit)
}

var german = wordSet("ich mein meine meinen der die das und nicht ist wir unser unsere wird hat habe")

// marksOf returns the names and numbers of a fact: the words after "is called", the capitalized
// words after the verb, and the words with a digit. If marksOf finds no verb in a German sentence,
// it ignores capital letters, because German capitalizes every noun.
func marksOf(text string) (marks []string) {
	fields := strings.Fields(text)
	from, named, isGerman := 1, false, false
	for i, field := range fields {
		word := strings.Trim(strings.ToLower(field), ".,;:!?\"'()")
		isGerman = isGerman || german[word]
		if copulas[word] || singleVerbs[word] || properties[word] || namingVerbs[word] || commonForms[word] == "is" {
			from, named = i+1, named || namingVerbs[word] || word == "called" || word == "named"
			if i > 0 && (copulas[word] || commonForms[word] == "is") {
				before := strings.Trim(strings.ToLower(fields[i-1]), ".,")
				named = named || before == "name"
			}
		}
	}
	for i, field := range fields {
		for _, token := range tokens([]byte(field)) {
			first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(field, unicode.IsPunct))
			capital := unicode.IsUpper(first) && i >= from && i > 0 && (!isGerman || from > 1)
			if len(token.word) < 3 && !numeric(token.word) || commonWords[token.word] || fillers[token.word] || commonForms[token.word] != "" {
				continue
			}
			if capital || named && i >= from || numeric(token.word) && len(token.word) > 2 {
				marks = append(marks, token.word)
			}
		}
	}
	return marks
}

// TellingWords returns a string of the words that identify a fact. For a fact with at least two
// names or numbers, it also returns a string of only the names and numbers.
func TellingWords(line string) (values []string) {
	if at := len(line) - len(" (2026-11-28)"); at > 0 && strings.HasPrefix(line[at:], " (") {
		line = line[:at]
	}
	var words []string
	for _, token := range tokens([]byte(line)) {
		if !commonWords[token.word] && !fillers[token.word] && commonForms[token.word] == "" && !copulas[token.word] && !singleVerbs[token.word] {
			words = append(words, token.word)
		}
	}
	values = append(values, strings.Join(words, " "))
	if marks := marksOf(line); len(marks) > 1 {
		values = append(values, strings.Join(marks, " "))
	}
	return values
}

// sparing creates a copy of the eraser that does not change the given text.
func (e Eraser) sparing(text string) Eraser {
	if !e.Matches(text) {
		return e
	}
	all := tokens([]byte(text))
	e.marks = maps.Clone(e.marks)
	for _, token := range all {
		delete(e.marks, token.word)
	}
	e.sets = slices.DeleteFunc(slices.Clone(e.sets), func(set wordsOf) bool {
		_, _, enough := set.findIn(all)
		return enough
	})
	e.phrases = slices.DeleteFunc(slices.Clone(e.phrases), func(phrase []string) bool {
		return Eraser{phrases: [][]string{phrase}}.Matches(text)
	})
	return e
}

// Empty reports whether the eraser removes nothing.
func (e Eraser) Empty() bool { return len(e.phrases)+len(e.marks)+len(e.sets) == 0 }

// Text returns the given text without the facts.
func (e Eraser) Text(text string) string {
	if out, places := e.Erase([]byte(text)); places > 0 {
		return string(out)
	}
	return text
}

// Matches reports whether the eraser would change text.
func (e Eraser) Matches(text string) bool {
	_, places := e.Erase([]byte(text))
	return places > 0
}

// Erase returns a copy of text or JSON in which asterisks replace the facts, and the number of
// replaced passages. The copy has the same length as the input. If Erase finds no facts, it returns
// the input itself.
func (e Eraser) Erase(data []byte) (out []byte, places int) {
	if e.Empty() || !e.mayContain(data) {
		return data, 0
	}
	all := tokens(data)
	gone := make([]bool, len(all))
	drop := func(from, to int) {
		fresh := false
		for i := from; i < to; i++ {
			fresh, gone[i] = fresh || !gone[i], true
		}
		if fresh {
			places++
		}
	}
	for _, phrase := range e.phrases {
		for i := 0; i+len(phrase) <= len(all); i++ {
			if slices.EqualFunc(all[i:i+len(phrase)], phrase, func(t token, word string) bool { return t.word == word }) {
				drop(i, i+len(phrase))
			}
		}
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && !all[to].begins {
			to++
		}
		for _, set := range e.sets {
			if first, last, enough := set.findIn(all[from:to]); enough {
				drop(from+first, from+last+1)
			}
		}
		from = to
	}
	for i, token := range all {
		if e.marks[token.word] && !gone[i] {
			drop(i, i+1)
		}
	}
	if places == 0 {
		return data, 0
	}
	out = slices.Clone(data)
	for i, token := range all {
		if gone[i] {
			copy(out[token.from:token.to], bytes.Repeat([]byte("*"), token.to-token.from))
		}
	}
	return out, places
}

// mayContain is a quick check. If it returns false, data contains no facts.
func (e Eraser) mayContain(data []byte) bool {
	if e.carriers == nil {
		return true
	}
	lower := bytes.ToLower(data)
	return slices.ContainsFunc(e.carriers, func(word string) bool { return bytes.Contains(lower, []byte(word)) }) || bytes.Contains(lower, []byte(`\u00`))
}

// findIn reports whether a sentence contains enough of the words. It also returns the indexes of
// the first and the last of these words in the sentence.
func (w wordsOf) findIn(sentence []token) (first, last int, enough bool) {
	first = -1
	var seen []string
	for i, token := range sentence {
		if !w.words[token.word] {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
		if !slices.Contains(seen, token.word) {
			seen = append(seen, token.word)
		}
	}
	return first, last, len(seen) >= w.need
}

type token struct {
	word     string // the word in lower case
	from, to int    // byte range
	begins   bool   // whether the word begins a sentence or a JSON string
}

// tokens returns the words of text or JSON. A run of backslashes counts as one backslash, because a
// string in JSON can itself contain JSON.
func tokens(data []byte) (all []token) {
	var word []byte
	from, begins := 0, true
	end := func(to int) {
		if len(word) > 0 {
			all = append(all, token{word: strings.ToLower(string(word)), from: from, to: to, begins: begins})
			word, begins = word[:0], false
		}
	}
	for at := 0; at < len(data); {
		r, size := rune(data[at]), 1
		escaped := false
		switch {
		case r == '\\':
			r, size = escape(data[at:])
			escaped = true
		case r >= utf8.RuneSelf:
			r, size = utf8.DecodeRune(data[at:])
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			if len(word) == 0 {
				from = at
			}
			word = utf8.AppendRune(word, r)
		} else {
			end(at)
			begins = begins || strings.ContainsRune(".!?;\n{}[]", r) || r == '"' && !escaped
		}
		at += size
	}
	end(len(data))
	return all
}

// escape returns the character and the length of the JSON escape sequence at the start of data.
func escape(data []byte) (r rune, size int) {
	run := 0
	for run < len(data) && data[run] == '\\' {
		run++
	}
	if run == len(data) {
		return ' ', run
	}
	switch data[run] {
	case 'n', 'r':
		return '\n', run + 1
	case 't':
		return ' ', run + 1
	case '"':
		return '"', run + 1
	case 'u':
		if run+5 <= len(data) {
			if code, err := strconv.ParseUint(string(data[run+1:run+5]), 16, 32); err == nil {
				return rune(code), run + 5
			}
		}
	}
	return ' ', run
}
