package screen

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escape takes a sequence that begins with ESC.
func (s *screen) escape(text string) int {
	if len(text) < 2 {
		return 1
	}
	switch text[1] {
	case '[':
		return 2 + s.control(text[2:])
	case ']', 'P', 'X', '^', '_':
		return 2 + silent(text[2:])
	case '7':
		s.saved, s.savAt = s.column, s.at
	case '8':
		s.column, s.at = s.saved, s.savAt
	case 'M':
		s.at = max(0, s.at-1)
	case '(', ')', '*', '+', '#', ' ', '%':
		return min(3, len(text))
	case 0x1B, '\n', '\r':
		return 1
	}
	_, size := utf8.DecodeRuneInString(text[1:])
	return 1 + size
}

// silent is the length of a title, a link or the like. An unterminated one ends with its line: the
// rest is output.
func silent(text string) int {
	for at := 0; at < len(text) && at < longest; at++ {
		switch {
		case text[at] == 0x07:
			return at + 1
		case text[at] == 0x1B && strings.HasPrefix(text[at:], "\x1b\\"):
			return at + 2
		case text[at] == '\n', text[at] == 0x1B:
			return at
		}
	}
	return min(len(text), longest)
}

// control handles a sequence after ESC [: numbers and a letter.
func (s *screen) control(text string) int {
	end := 0
	for end < len(text) && text[end] >= 0x20 && text[end] < 0x40 {
		end++
	}
	if end == len(text) || text[end] < 0x40 || text[end] > 0x7E {
		return end // broken off
	}
	numbers := strings.Split(text[:end], ";")
	s.act(text[end], number(numbers, 0), number(numbers, 1))
	return end + 1
}

// number is one of a sequence, 0 if it is not said.
func number(numbers []string, i int) int {
	if i >= len(numbers) {
		return 0
	}
	n, err := strconv.Atoi(numbers[i])
	if err != nil {
		return 0
	}
	return max(0, min(n, 1<<16))
}
