package view

import (
	"unicode"
	"unicode/utf8"
)

// markWords marks the changed words within lines. In a group of replaced lines, it compares the
// first removed line with the first added line, the second with the second, and so on.
func markWords(lines []diffLine) {
	for i := 0; i < len(lines); i++ {
		if lines[i].sign != '-' {
			continue
		}
		went, came := changeSize(lines, i)
		for at := range min(went, came) {
			old, now := &lines[i+at], &lines[i+went+at]
			gone, new, alike := differences(wordsOf(old.text), wordsOf(now.text))
			if alike {
				old.spans, now.spans = withRole(old.spans, gone, RemovedWord), withRole(now.spans, new, AddedWord)
			}
		}
		i += went + came - 1
	}
}

// stretch is a byte range in a string.
type stretch struct{ from, to int }

// wordsOf splits text into words and white space. Any other character is an element of its own.
func wordsOf(text string) (words []string) {
	kind := func(char rune) int {
		switch {
		case unicode.IsLetter(char) || unicode.IsDigit(char) || char == '_':
			return 1
		case unicode.IsSpace(char):
			return 2
		}
		return 0
	}
	for text != "" {
		first, size := utf8.DecodeRuneInString(text)
		end, of := size, kind(first)
		for of > 0 && end < len(text) {
			next, size := utf8.DecodeRuneInString(text[end:])
			if kind(next) != of {
				break
			}
			end += size
		}
		words, text = append(words, text[:end]), text[end:]
	}
	return words
}

// differences returns the parts of each line that the other line does not contain. If the lines are
// too long or have too little in common for a useful result, alike is false.
func differences(old, now []string) (gone, came []stretch, alike bool) {
	if len(old)*len(now) > mostWords*mostWords {
		return nil, nil, false
	}
	// common[i][j] is the number of words in the longest common subsequence of old[i:] and now[j:].
	common := make([][]int, len(old)+1)
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if old[i] == now[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j, left, right, same := 0, 0, 0, 0, 0
	for i < len(old) || j < len(now) {
		switch {
		case i < len(old) && j < len(now) && old[i] == now[j]:
			same += len(old[i])
			left, right = left+len(old[i]), right+len(now[j])
			i, j = i+1, j+1
		case j == len(now) || i < len(old) && common[i+1][j] >= common[i][j+1]:
			gone = grow(gone, left, len(old[i]))
			left, i = left+len(old[i]), i+1
		default:
			came = grow(came, right, len(now[j]))
			right, j = right+len(now[j]), j+1
		}
	}
	return gone, came, 3*same >= max(left, right)
}

// grow appends a stretch to a list. If the new stretch begins where the last stretch ends, the last
// stretch is extended instead.
func grow(list []stretch, from, size int) []stretch {
	if last := len(list) - 1; last >= 0 && list[last].to == from {
		list[last].to += size
		return list
	}
	return append(list, stretch{from, from + size})
}

// withRole copies a line and assigns a role to the given byte ranges of the copy.
func withRole(line Line, stretches []stretch, role Role) Line {
	var made Line
	at := 0
	for _, span := range line {
		begin, end := at, at+len(span.Text)
		at = end
		for _, one := range stretches {
			from, to := max(one.from, begin), min(one.to, end)
			if from >= to {
				continue
			}
			if from > begin {
				made = append(made, Span{Role: span.Role, Text: span.Text[len(span.Text)-(end-begin) : len(span.Text)-(end-from)]})
			}
			made = append(made, Span{Role: role, Text: span.Text[len(span.Text)-(end-from) : len(span.Text)-(end-to)]})
			begin = to
		}
		if begin < end {
			made = append(made, Span{Role: span.Role, Text: span.Text[len(span.Text)-(end-begin):]})
		}
	}
	return made
}
