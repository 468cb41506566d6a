package view

import "strings"

// flow lays out text to which more text is appended. Rows of finished lines are settled. Only the
// last, unfinished line is laid out again.
type flow struct {
	width   int
	row     rowFunc
	state   rowState
	lines   []Line
	settled int // number of rows that no longer change
	done    int // number of bytes in the settled rows
	tail    int // length of the unfinished line when it was last laid out
}

// rowFunc lays out a line of text and returns the state for the next line.
type rowFunc func(text string, state rowState) ([]Line, rowState)

// rowState is the information that a line needs about the lines before it.
type rowState struct {
	begun bool // false for the first line
}

func (f *flow) layOut(text string) []Line {
	for {
		end := strings.IndexByte(text[f.done:], '\n')
		if end < 0 {
			break
		}
		rows, next := f.row(text[f.done:f.done+end], f.state)
		f.lines, f.state = append(f.lines[:f.settled], rows...), next
		f.settled, f.done, f.tail = len(f.lines), f.done+end+1, 0
	}
	if rest := text[f.done:]; len(rest) != f.tail {
		rows, _ := f.row(rest, f.state)
		f.lines, f.tail = append(f.lines[:f.settled], rows...), len(rest)
	}
	return f.lines
}
