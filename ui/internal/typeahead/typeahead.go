// Package typeahead corrects keys typed before a program took the terminal. Until then the terminal
// turned each Enter into a line feed, which is another key for a multi-line editor: a line typed
// early would never be sent.
package typeahead

import (
	"bytes"
	"sync/atomic"
)

// Lines is the input that was waiting on a terminal. The zero value is ready. Its methods may be
// called by the terminal's reader and its owner.
type Lines struct{ left atomic.Int64 }

// Took says that the terminal just became raw and was not read since.
func (l *Lines) Took(fd int) { l.left.Store(int64(waiting(fd))) }

// Mend turns line feeds back into Enter keys, as far as they were typed before the terminal was
// taken.
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
