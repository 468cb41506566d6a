// Package typeahead corrects keys that the user typed before the program took over the terminal.
// Until then, the terminal converts each Enter to a line feed, which a multi-line editor does not
// treat as Enter. Without the correction, a line that was typed early would never be sent.
package typeahead

import (
	"bytes"
	"sync/atomic"
)

// Lines holds the number of unread bytes that were typed before the terminal became raw. The zero
// value is ready to use. The methods are safe for concurrent use.
type Lines struct{ left atomic.Int64 }

// CountWaiting counts the bytes that can be read from the terminal without blocking. It must be
// called as soon as the terminal is raw, before the first read, because later input must not be
// counted.
func (l *Lines) CountWaiting(fd int) { l.left.Store(int64(waiting(fd))) }

// Mend replaces line feeds with carriage returns, in place, in the bytes that were typed before raw
// mode began.
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
