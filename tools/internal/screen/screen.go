package screen

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of the screen. Larger numbers in a stream are lowered to these limits.
const (
	widest  = 512  // the last column that a sequence can reach; text can extend past it
	highest = 128  // the last row that a sequence can reach
	longest = 4096 // the maximum number of bytes in a sequence that shows no text
)

// null is shown instead of a NUL byte.
const null = '␀'

// Clean returns what a terminal shows after valid UTF-8 text has been written to it.
func Clean(text string) string {
	if !HasControls(text) {
		return text
	}
	s := &screen{rows: []row{{}}}
	for at := 0; at < len(text); {
		at += s.execute(text[at:])
	}
	return s.String()
}

// HasControls reports whether text contains terminal controls. The text must be valid UTF-8.
func HasControls[T string | []byte](text T) bool {
	return strings.ContainsFunc(string(text), isControl)
}

// isControl reports whether a character is a control character other than a line end or tab.
func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7F && r < 0xA0 }

type row struct {
	cells []rune
	drawn bool // text was overwritten or erased, so String trims trailing spaces
}

type screen struct {
	rows         []row
	at, column   int // the cursor
	saved, savAt int
	top          int // the index of the terminal's first row
	placed       bool
}

// execute interprets the first character or escape sequence in text. It returns the number of bytes
// interpreted.
func (s *screen) execute(text string) int {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == '\n':
		s.at, s.column = s.at+1, 0
		s.reach(s.at)
	case r == '\r':
		s.column = 0
	case r == '\b':
		s.column = max(0, s.column-1)
	case r == 0:
		s.put(null)
	case r == 0x1B:
		return s.escape(text)
	case r == 0x9B:
		return size + s.control(text[size:])
	case isControl(r): // bells, form feeds, and other invisible controls
	default:
		s.put(r)
	}
	return size
}

// reach returns the row with the given index. It adds rows if necessary.
func (s *screen) reach(at int) *row {
	for len(s.rows) <= at {
		s.rows = append(s.rows, row{})
	}
	return &s.rows[at]
}

func (s *screen) put(r rune) {
	line := s.reach(s.at)
	for len(line.cells) < s.column {
		line.cells = append(line.cells, ' ')
	}
	if s.column < len(line.cells) {
		line.cells[s.column], line.drawn = r, true
	} else {
		line.cells = append(line.cells, r)
	}
	s.column++
}

func (s *screen) act(final byte, first, second int) {
	steps := max(1, first)
	switch final {
	case 'A', 'F':
		s.at = max(0, s.at-steps)
	case 'B', 'E':
		s.at = min(s.at+steps, s.bottom())
	case 'C':
		s.column = max(s.column, min(s.column+steps, widest))
	case 'D':
		s.column = max(0, s.column-steps)
	case 'G':
		s.column = min(steps, widest) - 1
	case 'H', 'f':
		s.setTop()
		s.at, s.column = s.top+min(steps, highest)-1, max(1, min(second, widest))-1
	case 'd':
		s.setTop()
		s.at = s.top + min(steps, highest) - 1
	case 'J':
		s.wipe(first)
	case 'K':
		s.erase(first)
	case 'P', 'X':
		s.remove(steps, final == 'P')
	case 's':
		s.saved, s.savAt = s.column, s.at
	case 'u':
		s.column, s.at = s.saved, s.savAt
	}
	if final == 'E' || final == 'F' {
		s.column = 0
	}
}

// setTop makes the cursor's row the top of the screen. If that row contains text, the next row
// becomes the top. Only the first call has an effect.
func (s *screen) setTop() {
	if s.placed {
		return
	}
	s.placed, s.top = true, s.at
	if len(s.rows[min(s.at, len(s.rows)-1)].cells) > 0 {
		s.top++
	}
}

// bottom returns the index of the last row that the cursor can reach.
func (s *screen) bottom() int {
	if s.placed {
		return max(len(s.rows), s.top+highest) - 1
	}
	return max(len(s.rows)-1, s.at)
}

// wipe executes "ESC [ n J". The value 0 clears the rest of the screen, 1 clears the screen before
// the cursor, and any other value clears the whole screen.
func (s *screen) wipe(how int) {
	s.setTop()
	from, to := s.top, len(s.rows)
	switch how {
	case 0:
		s.erase(0)
		from = s.at + 1
	case 1:
		s.erase(1)
		to = min(s.at, to)
	}
	for i := from; i < to; i++ {
		s.rows[i] = row{}
	}
}

// erase executes "ESC [ n K". The value 0 clears the rest of the cursor's line, 1 clears the start
// of the line, and any other value clears the whole line.
func (s *screen) erase(how int) {
	line := s.reach(s.at)
	line.drawn = true
	switch column := min(s.column, len(line.cells)); how {
	case 0:
		line.cells = line.cells[:column]
	case 1:
		for i := range line.cells[:column] {
			line.cells[i] = ' '
		}
	default:
		line.cells = line.cells[:0]
	}
}

// remove deletes characters at the cursor if closeGap is true, and otherwise replaces them with
// spaces.
func (s *screen) remove(count int, closeGap bool) {
	line := s.reach(s.at)
	line.drawn = true
	from := min(s.column, len(line.cells))
	to := min(from+count, len(line.cells))
	if closeGap {
		line.cells = slices.Delete(line.cells, from, to)
		return
	}
	for i := range line.cells[from:to] {
		line.cells[from+i] = ' '
	}
}

func (s *screen) String() string {
	var text strings.Builder
	for i, line := range s.rows {
		if i > 0 {
			text.WriteByte('\n')
		}
		shown := string(line.cells)
		if line.drawn {
			shown = strings.TrimRight(shown, " ")
		}
		text.WriteString(shown)
	}
	return text.String()
}

// escape executes a sequence that begins with ESC.
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

// silent returns the length of an invisible sequence, for example one that sets a title or begins a
// link. An unterminated sequence ends at the next escape character, at the end of the line, or after
// [longest] bytes, so that later lines are not lost.
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

// control interprets the part of a sequence that follows "ESC [": numbers and a letter.
func (s *screen) control(text string) int {
	end := 0
	for end < len(text) && text[end] >= 0x20 && text[end] < 0x40 {
		end++
	}
	if end == len(text) || text[end] < 0x40 || text[end] > 0x7E {
		return end // truncated
	}
	numbers := strings.Split(text[:end], ";")
	s.act(text[end], number(numbers, 0), number(numbers, 1))
	return end + 1
}

// number returns numbers[i], limited to the range 0 to 65536. A missing or invalid number is 0.
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
