// Package typeahead corrects keys that the user typed before the program took over the terminal.
// Before that, the terminal converts each Enter to a line feed. A multi-line editor does not treat
// a line feed as Enter. Without the correction, a line that was typed early would never be sent.
package typeahead

import (
	"bytes"
	"sync/atomic"
)

// Lines restores Enter keys that were typed before the terminal became raw. The zero value is ready
// to use. The methods are safe for concurrent use.
type Lines struct{ left atomic.Int64 }

// CountWaiting must be called when a terminal has just become raw, before the terminal is read. The
// bytes that wait there were typed earlier.
func (l *Lines) CountWaiting(fd int) { l.left.Store(int64(waiting(fd))) }

// Mend converts line feeds back to Enter keys if they were typed before the terminal became raw.
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
