package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// screen is what a terminal shows, row by row.
type screen struct{ rows [][]cell }

// cell is a character at its place; one that is two cells wide is followed by none.
type cell struct {
	x, wide int
	text    string
	look    look
}

// look is how a character is drawn. Colours are "#rrggbb", the number of one of the sixteen, or
// "" for the terminal's own.
type look struct {
	fore, back                                     string
	bold, dim, italic, underline, struck, reversed bool
}

// readScreen reads what tmux captured: text, line ends and SGR sequences.
func readScreen(captured string) (*screen, error) {
	s, now := &screen{}, look{}
	for line := range strings.SplitSeq(strings.TrimSuffix(captured, "\n"), "\n") {
		var row []cell
		x, state := 0, -1
		for line != "" {
			if line[0] == '\x1b' {
				rest, ok := strings.CutPrefix(line, "\x1b[")
				codes, after, ended := strings.Cut(rest, "m")
				if !ok || !ended {
					return nil, fmt.Errorf("tmux wrote a sequence that is no colour: %.20q", line)
				}
				if err := now.change(codes); err != nil {
					return nil, err
				}
				line, state = after, -1
				continue
			}
			var text string
			var wide int
			text, line, wide, state = uniseg.FirstGraphemeClusterInString(line, state)
			row = append(row, cell{x, wide, text, now})
			x += wide
		}
		s.rows = append(s.rows, row)
	}
	return s, nil
}

// change obeys one SGR sequence.
func (l *look) change(codes string) error {
	fields := strings.FieldsFunc(codes, func(r rune) bool { return r == ';' || r == ':' })
	if len(fields) == 0 {
		*l = look{}
	}
	numbers := make([]int, len(fields))
	for i, field := range fields {
		var err error
		if numbers[i], err = strconv.Atoi(field); err != nil {
			return fmt.Errorf("colour %q: %w", codes, err)
		}
	}
	for len(numbers) > 0 {
		n := numbers[0]
		numbers = numbers[1:]
		switch {
		case n == 38 || n == 48:
			colour, rest := extended(numbers)
			if numbers = rest; n == 38 {
				l.fore = colour
			} else {
				l.back = colour
			}
		case n >= 30 && n <= 37:
			l.fore = palette(n - 30)
		case n >= 90 && n <= 97:
			l.fore = palette(n - 90 + 8)
		case n >= 40 && n <= 47:
			l.back = palette(n - 40)
		case n >= 100 && n <= 107:
			l.back = palette(n - 100 + 8)
		default:
			l.attribute(n)
		}
	}
	return nil
}

func (l *look) attribute(n int) {
	switch n {
	case 0:
		*l = look{}
	case 1:
		l.bold = true
	case 2:
		l.dim = true
	case 3:
		l.italic = true
	case 4:
		l.underline = true
	case 7:
		l.reversed = true
	case 9:
		l.struck = true
	case 22:
		l.bold, l.dim = false, false
	case 23:
		l.italic = false
	case 24:
		l.underline = false
	case 27:
		l.reversed = false
	case 29:
		l.struck = false
	case 39:
		l.fore = ""
	case 49:
		l.back = ""
	}
}

// extended decodes the numbers that follow 38 or 48: either 5 and one of 256 colors, or 2 and the
// three parts of a color.
func extended(numbers []int) (colour string, rest []int) {
	switch {
	case len(numbers) >= 2 && numbers[0] == 5:
		return palette(numbers[1]), numbers[2:]
	case len(numbers) >= 4 && numbers[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", numbers[1], numbers[2], numbers[3]), numbers[4:]
	}
	return "", nil
}

// cursor reverses the cell that the cursor is on.
func (s *screen) cursor(x, y int) {
	if y >= len(s.rows) {
		return
	}
	for i := range s.rows[y] {
		if at := &s.rows[y][i]; at.x == x {
			at.look.reversed = !at.look.reversed
			return
		}
	}
	s.rows[y] = append(s.rows[y], cell{x, 1, " ", look{reversed: true}})
}

// trim removes the empty rows at the end.
func (s *screen) trim() {
	for n := len(s.rows); n > 0; n-- {
		for _, at := range s.rows[n-1] {
			if at.text != " " || at.look.reversed {
				s.rows = s.rows[:n]
				return
			}
		}
	}
}
