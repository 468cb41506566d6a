package scan

import (
	"encoding/json"
	"unicode/utf8"
)

// Scanner reads JSON in one pass. Each method consumes one element and the preceding space, and
// reports whether the element was as expected. If a method returns false, the caller must decode
// the whole document again with encoding/json.
type Scanner struct {
	data []byte
	at   int
}

// Decode decodes a document with scan() or, if scan() returns false, with encoding/json. It returns
// false if both fail.
func Decode[T any](data []byte, into *T, scan func(data []byte, into *T) bool) bool {
	var empty T
	*into = empty
	if scan(data, into) {
		return true
	}
	*into = empty
	return json.Unmarshal(data, into) == nil
}

// Begin starts a document. The caller must not modify the slice before the next call to Begin.
func (s *Scanner) Begin(data []byte) { s.data, s.at = data, 0 }

// End reports whether the whole document was read.
func (s *Scanner) End() bool {
	s.space()
	return s.at == len(s.data)
}

// Members parses an object and passes each key to the function. The function must consume the key's
// value.
func (s *Scanner) Members(read func(key []byte) bool) bool {
	if !s.Take('{') {
		return false
	}
	if s.Take('}') {
		return true
	}
	for {
		s.space()
		key, plain := s.readQuoted()
		if !plain || !s.Take(':') || !read(key) {
			return false
		}
		if !s.Take(',') {
			return s.Take('}')
		}
	}
}

// SkipUnused skips the value of an unused field. It accepts strings without escapes, non-negative
// integers, true, false, null and [], and returns false for other values. It also returns false if
// the key contains an uppercase or non-ASCII letter, because encoding/json ignores case and could
// match such a key to a known field.
func (s *Scanner) SkipUnused(key []byte) bool {
	for _, b := range key {
		if b >= utf8.RuneSelf || 'A' <= b && b <= 'Z' {
			return false
		}
	}
	s.space()
	if s.at == len(s.data) {
		return false
	}
	switch s.data[s.at] {
	case '"':
		_, plain := s.readQuoted()
		return plain
	case '[':
		return s.Take('[') && s.Take(']')
	case 'n':
		return s.Word("null")
	case 't':
		return s.Word("true")
	case 'f':
		return s.Word("false")
	}
	_, whole := s.number()
	return whole
}

func (s *Scanner) space() {
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// Take skips optional space, and consumes the byte b if b comes next.
func (s *Scanner) Take(b byte) bool {
	s.space()
	if s.at == len(s.data) || s.data[s.at] != b {
		return false
	}
	s.at++
	return true
}

// Word consumes the given literal, such as null.
func (s *Scanner) Word(word string) bool {
	s.space()
	if len(s.data)-s.at < len(word) || string(s.data[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}

// Number reads a non-negative integer of at most nine digits, or null. For null, Number stores
// nothing.
func (s *Scanner) Number(into *int) bool {
	if s.Word("null") {
		return true
	}
	digits, whole := s.number()
	if !whole || len(digits) > 9 {
		return false
	}
	value := 0
	for _, digit := range digits {
		value = 10*value + int(digit-'0')
	}
	*into = value
	return true
}

// number consumes a non-negative integer that has no leading zeros. For any other value, the second
// result is false.
func (s *Scanner) number() (digits []byte, whole bool) {
	begin := s.at
	for s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9' {
		s.at++
	}
	digits = s.data[begin:s.at]
	if len(digits) == 0 || len(digits) > 1 && digits[0] == '0' || s.at == len(s.data) {
		return nil, false
	}
	return digits, s.data[s.at] != '.' && s.data[s.at]|0x20 != 'e'
}

// readQuoted consumes a string without escapes, and returns its contents.
func (s *Scanner) readQuoted() (inside []byte, plain bool) {
	if s.at == len(s.data) || s.data[s.at] != '"' {
		return nil, false
	}
	begin := s.at + 1
	for at := begin; at < len(s.data); at++ {
		switch b := s.data[at]; {
		case b == '"':
			s.at = at + 1
			return s.data[begin:at], true
		case b == '\\' || b < ' ':
			return nil, false
		}
	}
	return nil, false
}

// TextAgain is like [Scanner.Text], for a field that rarely changes between documents. It keeps the
// string in *last and allocates only if the value has changed.
func (s *Scanner) TextAgain(last, into *string) bool {
	if s.Word("null") {
		return true
	}
	read := s.Text(last)
	*into = *last
	return read
}

// Text reads a string or null. For null, Text stores nothing.
func (s *Scanner) Text(into *string) bool {
	s.space()
	if s.Word("null") {
		return true
	}
	begin := s.at
	inside, plain := s.readQuoted()
	if !plain {
		s.at = begin
		return s.readEscaped(into)
	}
	if !utf8.Valid(inside) {
		return false // encoding/json replaces the invalid bytes
	}
	if string(inside) != *into {
		*into = string(inside)
	}
	return true
}

// unescaped contains, for the character after a backslash, the character that the escape
// represents.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// readEscaped reads a string with short escapes. Escapes with four digits are left to
// encoding/json.
func (s *Scanner) readEscaped(into *string) bool {
	if !s.Take('"') {
		return false
	}
	var text []byte
	for ; s.at < len(s.data); s.at++ {
		switch b := s.data[s.at]; {
		case b == '"':
			s.at++
			*into = string(text)
			return utf8.Valid(text)
		case b == '\\':
			s.at++
			if s.at == len(s.data) || unescaped[s.data[s.at]] == 0 {
				return false
			}
			text = append(text, unescaped[s.data[s.at]])
		case b < ' ':
			return false
		default:
			text = append(text, b)
		}
	}
	return false
}
