// Package typeahead mends what was typed before a program took the terminal. Until then
// the terminal made a line end of every Enter, which to an editor of several lines is
// another key: what somebody typed and sent would stand there and never go out.
package typeahead

import (
	"bytes"
	"sync/atomic"
)

// Lines is what waited on a terminal. The zero value is ready. Its methods may be called
// by the reader of the terminal and by whoever takes it.
type Lines struct{ left atomic.Int64 }

// Took says that the terminal was made raw just now, and that nobody has read since.
func (l *Lines) Took(fd int) { l.left.Store(int64(waiting(fd))) }

// Mend makes the line ends in what was read Enter keys again, as far as it was typed
// before the terminal was taken.
func (l *Lines) Mend(read []byte) {
	left := l.left.Load()
	if left <= 0 {
		return
	}
	before := read[:min(int64(len(read)), left)]
	l.left.Add(-int64(len(before)))
	for {
		at := bytes.IndexByte(before, '\n')
		if at < 0 {
			return
		}
		before[at] = '\r'
		before = before[at+1:]
	}
}
