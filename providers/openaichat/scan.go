package openaichat

import (
	"unicode/utf8"
)

// scanner reads the usual chunk, which holds a piece of text and little else, in one pass
// over its bytes: a third of the CPU of a streamed token was encoding/json, which looks at
// each twice and allocates for each field. What it does not know for certain it leaves to
// encoding/json, so that both never disagree (FuzzScan): a key that may be a known one in
// other letters, a known field of an unusual type, calls of tools, usage, several choices,
// and everything that is no JSON.
type scanner struct {
	data []byte
	at   int

	// What a chunk that was read points to, until the next one.
	choices [1]choice
	delta   delta
	// The last ones, which are the same in each chunk.
	object, model string
}

// chunk reads data as decode does, or says that encoding/json should.
func (s *scanner) chunk(data []byte) (c chunk, ok bool) {
	s.data, s.at = data, 0
	s.choices, s.delta = [1]choice{}, delta{}
	ok = s.members(func(key []byte) bool {
		switch string(key) {
		case "object":
			return s.again(&s.object, &c.Object)
		case "model":
			return s.again(&s.model, &c.Model)
		case "choices":
			return c.Choices == nil && s.choice(&c)
		case "usage", "error":
			return s.word("null")
		}
		return s.other(key)
	})
	s.space()
	return c, ok && s.at == len(data)
}

// choice reads a list of at most one.
func (s *scanner) choice(c *chunk) bool {
	if !s.take('[') {
		return false
	}
	c.Choices = s.choices[:0]
	if s.take(']') {
		return true
	}
	c.Choices = s.choices[:1]
	one := &s.choices[0]
	return s.members(func(key []byte) bool {
		switch string(key) {
		case "delta":
			if one.Delta != nil {
				return false
			}
			one.Delta = &s.delta
			return s.members(s.piece)
		case "finish_reason":
			return s.text(&one.FinishReason)
		case "message":
			return s.word("null")
		}
		return s.other(key)
	}) && s.take(']')
}

// piece reads one field of a delta.
func (s *scanner) piece(key []byte) bool {
	switch string(key) {
	case "content":
		return s.text((*string)(&s.delta.Content))
	case "reasoning":
		return s.text((*string)(&s.delta.Reasoning))
	case "reasoning_content":
		return s.text(&s.delta.ReasoningContent)
	case "refusal":
		return s.text(&s.delta.Refusal)
	case "reasoning_details", "tool_calls":
		return s.word("null")
	}
	return s.other(key)
}

// members reads an object, whose values read takes.
func (s *scanner) members(read func(key []byte) bool) bool {
	if !s.take('{') {
		return false
	}
	if s.take('}') {
		return true
	}
	for {
		s.space()
		key, plain := s.quoted()
		if !plain || !s.take(':') || !read(key) {
			return false
		}
		if !s.take(',') {
			return s.take('}')
		}
	}
}

// other passes over a value that nobody reads, if it is a plain one. A name with a capital
// may be that of a known field, since encoding/json does not look at the case.
func (s *scanner) other(key []byte) bool {
	for _, b := range key {
		if b >= utf8.RuneSelf || 'A' <= b && b <= 'Z' { // guard: a name in capitals is left to encoding/json
			return false
		}
	}
	s.space()
	if s.at == len(s.data) {
		return false
	}
	switch s.data[s.at] {
	case '"':
		_, plain := s.quoted()
		return plain
	case 'n':
		return s.word("null")
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	}
	return s.number()
}

func (s *scanner) space() {
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// take passes over one byte behind any space, if it is there.
func (s *scanner) take(b byte) bool {
	s.space()
	if s.at == len(s.data) || s.data[s.at] != b {
		return false
	}
	s.at++
	return true
}

func (s *scanner) word(word string) bool {
	s.space()
	if len(s.data)-s.at < len(word) || string(s.data[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}

// number passes over a whole number that does not begin with a zero, or is one.
func (s *scanner) number() bool {
	begin := s.at
	for s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9' {
		s.at++
	}
	digits := s.at - begin
	if digits == 0 || digits > 1 && s.data[begin] == '0' || s.at == len(s.data) {
		return false
	}
	return s.data[s.at] != '.' && s.data[s.at]|0x20 != 'e'
}

// quoted passes over a string without escapes, and gives what is between its marks.
func (s *scanner) quoted() (inside []byte, plain bool) {
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

// again reads a string that the chunk before had too, which is then made only once.
func (s *scanner) again(last, into *string) bool {
	if s.word("null") {
		return true
	}
	read := s.text(last)
	*into = *last
	return read
}

// text reads a string; null leaves what is there, and so does the same string.
func (s *scanner) text(into *string) bool {
	s.space()
	if s.word("null") {
		return true
	}
	begin := s.at
	inside, plain := s.quoted()
	if !plain {
		s.at = begin
		return s.escaped(into)
	}
	if !utf8.Valid(inside) { // guard: a scanner reads as encoding/json does
		return false // encoding/json mends it
	}
	if string(inside) != *into {
		*into = string(inside)
	}
	return true
}

// unescaped are the characters that stand behind a backslash for another one.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped reads a string with escapes of one character. Those with four digits are left
// to encoding/json.
func (s *scanner) escaped(into *string) bool {
	if !s.take('"') {
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
