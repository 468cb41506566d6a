package view

import (
	"regexp"
	"strings"
	"sync"
)

// stableText determines how much of a growing Markdown text is final and can be printed. The final
// part ends between words, before the first unclosed mark. The zero value is ready to use.
type stableText struct {
	all    strings.Builder
	text   string // the content of the builder, as a string
	from   int    // start of the current line
	fence  string // the open code fence, or "" outside code
	table  int    // start of the current table
	begun  bool   // table is valid
	marks  []mark // unclosed marks of the paragraph, oldest first
	looked int    // position up to which the text has been searched for marks
}

// mark is an opening mark that has not been closed yet.
type mark struct {
	char byte
	size int
	at   int
}

// mostOpen is the maximum number of bytes between an opening and a closing mark. An opening mark
// that is not closed within that distance is treated as text.
const mostOpen = 2000

// add appends more text and returns how many bytes of the whole text can be printed.
func (s *stableText) add(more string) int {
	s.all.WriteString(more)
	s.text = s.all.String()
	for {
		end := strings.IndexByte(s.text[s.from:], '\n')
		if end < 0 {
			break
		}
		s.line(s.text[s.from : s.from+end])
		s.from += end + 1
	}
	return s.readyBytes()
}

// line processes a complete line, without its line break.
func (s *stableText) line(text string) {
	trimmed := strings.TrimSpace(text)
	switch {
	case s.fence != "":
		if strings.HasPrefix(trimmed, s.fence) && strings.Trim(trimmed, s.fence[:1]) == "" {
			s.fence = ""
		}
	case fenceOf(trimmed) != "":
		s.fence, s.marks = fenceOf(trimmed), nil
	case strings.HasPrefix(trimmed, "|"):
		if !s.begun {
			s.table, s.begun = s.from, true
		}
		s.marks = nil
		s.looked = s.from + len(text) + 1
		return
	case trimmed == "" || startsBlock(trimmed):
		s.marks = nil
	}
	s.begun = false
	if s.fence == "" && trimmed != "" {
		s.findMarks(s.from + len(text))
	}
	s.looked = s.from + len(text) + 1
}

// fenceOf returns the fence that begins a line, or "".
func fenceOf(line string) string {
	for _, char := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, char); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// startsBlock reports whether a line starts a heading, a list item or a quotation.
func startsBlock(line string) bool {
	word, _, more := strings.Cut(line, " ")
	return more && (strings.Trim(word, "#") == "" || word == "-" || word == "*" || word == "+" || word == ">" || strings.Trim(word, "0123456789.)") == "")
}

// maybeBlockStart matches an incomplete line that further text can turn into a fence, a rule, a
// heading, a table row or a task.
var maybeBlockStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[\\s>]*(?:(?:[-*+]|\\d+[.)])\\s+)*(?:\\[.?\\]?\\s*|\\d+[.)]?|[`~|].*|[-=*_#>+:|\\s]*)$")
})

// readyBytes returns the number of bytes that can be printed.
func (s *stableText) readyBytes() int {
	last := s.text[s.from:]
	switch {
	case s.begun && (strings.TrimSpace(last) == "" || strings.HasPrefix(strings.TrimSpace(last), "|")):
		return s.table
	case s.fence != "" || maybeBlockStart().MatchString(last):
		return s.closedLen(s.from)
	}
	end := s.from + strings.LastIndexAny(last, " \t") + 1
	if s.looked < s.from {
		s.looked = s.from
	}
	if startsBlock(strings.TrimSpace(last)) && s.looked == s.from {
		s.marks = nil
	}
	s.findMarks(end)
	return s.closedLen(end)
}

// closedLen returns how many bytes of s.text[:end] can be printed. Printing stops before the word
// with the first open mark.
func (s *stableText) closedLen(end int) int {
	for len(s.marks) > 0 && end-s.marks[0].at > mostOpen {
		s.marks = s.marks[1:]
	}
	if len(s.marks) > 0 && s.marks[0].at < end {
		end = strings.LastIndexAny(s.text[:s.marks[0].at], " \t\n") + 1
	}
	line := strings.LastIndexByte(s.text[:max(end-1, 0)], '\n') + 1 // the last line with content
	said, whole := strings.CutSuffix(s.text[line:end], "\n")
	if said != "" && (!whole || strings.HasSuffix(strings.TrimSpace(said), "]")) && maybeBlockStart().MatchString(said) {
		return line // later text may turn the line into another kind of block
	}
	return end
}

// findMarks finds the marks up to a position, which is the end of a word or of a line.
func (s *stableText) findMarks(end int) {
	for i := max(s.looked, s.from); i < end; {
		char := s.text[i]
		size := 1
		for i+size < end && s.text[i+size] == char {
			size++
		}
		if code := len(s.marks) > 0 && s.marks[len(s.marks)-1].char == '`'; code && char != '`' {
			i += size
			continue
		}
		switch char {
		case '\\':
			size = 2
		case '`', '*', '_', '~':
			s.run(char, size, i)
		case '[', '<':
			size = 1
			if next := byteAt(s.text, i+1); char == '[' || next == '/' || next == '!' || isWord(next) {
				s.marks = append(s.marks, mark{char, 1, i})
			}
		case ']', '>', ')':
			size = 1
			s.close(char, i)
		}
		i += size
	}
	s.looked = max(s.looked, end)
}

// run interprets an opening or closing mark, such as "*" or "**".
func (s *stableText) run(char byte, size, i int) {
	before, behind := byteAt(s.text, i-1), byteAt(s.text, i+size)
	last := len(s.marks) - 1
	for ; last >= 0 && s.marks[last].char != char; last-- {
	}
	switch {
	case char == '`' && last >= 0:
		if s.marks[last].size == size {
			s.marks = s.marks[:last]
		}
	case char == '_' && isWord(before) && isWord(behind): // within a word
	case char != '`' && last >= 0 && !isSpace(before):
		if left := s.marks[last].size - size; left > 0 {
			s.marks = s.marks[:last+1]
			s.marks[last].size = left
		} else {
			s.marks = s.marks[:last]
		}
	case char == '`' || !isSpace(behind):
		s.marks = append(s.marks, mark{char, size, i})
	}
}

// close removes the mark that matches a closing bracket, and all later marks. A link remains open
// until its address ends.
func (s *stableText) close(char byte, i int) {
	opens := map[byte]byte{']': '[', '>': '<', ')': '('}[char]
	for last := len(s.marks) - 1; last >= 0; last-- {
		if s.marks[last].char != opens {
			continue
		}
		begins := s.marks[last].at
		s.marks = s.marks[:last]
		if char == ']' && byteAt(s.text, i+1) == '(' {
			s.marks = append(s.marks, mark{'(', 1, begins})
		}
		return
	}
}

// byteAt returns the byte at index i of text, or a space if i is out of range.
func byteAt(text string, i int) byte {
	if i < 0 || i >= len(text) {
		return ' '
	}
	return text[i]
}

func isSpace(char byte) bool { return char == ' ' || char == '\t' || char == '\n' }

func isWord(char byte) bool {
	return char >= '0' && char <= '9' || char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= 0x80
}
