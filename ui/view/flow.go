package view

import "strings"

// flow is the layout of a text that grows at its end. Rows of finished lines are
// settled; only the last, unfinished line is laid out again.
type flow struct {
	width   int
	row     rowFunc
	state   rowState
	lines   []Line
	settled int // rows that stay
	done    int // bytes of the text that the settled rows stand for
	tail    int // length of the unfinished line that was laid out
}

// rowFunc lays out one line of text, and says what the next one has to know.
type rowFunc func(text string, state rowState) ([]Line, rowState)

// rowState is what a line has to know about those before it.
type rowState struct {
	begun bool // it is not the first one
}

func (f *flow) lay(text string) []Line {
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
