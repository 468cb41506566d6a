package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"marvin/providers/internal/scan"
)

// DefaultLimit is the maximum size of an event, in bytes. An event has room for the largest call
// that package providers/limit allows, and for the escape sequences in this call.
const DefaultLimit = 16 << 20

// ErrTooLong means that an event is larger than the limit.
var ErrTooLong = errors.New("event too long")

const (
	firstSize = 16 << 10
	leastRoom = 2 << 10
)

// Reader reads events into one buffer that grows as needed. It is not safe for concurrent use.
type Reader struct {
	source io.Reader
	limit  int

	buf   []byte
	start int // where the current event begins
	next  int // where the first unread line begins
	end   int // where the data in buf ends
	begun bool
	open  bool
	err   error // the final error; returned after all buffered lines

	halves scan.HalfJoiner
}

// NewReader returns a reader that fails with [ErrTooLong] for an event of more than the given
// number of bytes.
func NewReader(source io.Reader, limit int) *Reader {
	return &Reader{source: source, limit: limit, buf: make([]byte, min(firstSize, limit))}
}

// Next returns the data of the next event. The data is valid until the next call. After the last
// event, Next returns io.EOF or the source's error.
func (r *Reader) Next() ([]byte, error) {
	data, err := r.event()
	if err != nil {
		return nil, err
	}
	return r.halves.Join(data), nil
}

func (r *Reader) event() ([]byte, error) {
	r.start = r.next
	from, to := -1, -1 // bounds of the event's data, relative to r.start
	for {
		low, high, err := r.line()
		switch {
		case err != nil && from >= 0 && !errors.Is(err, ErrTooLong):
			return r.buf[r.start+from : r.start+to], nil // the next call returns the error
		case err != nil:
			return nil, err
		case low == high && from >= 0:
			return r.buf[r.start+from : r.start+to], nil
		}
		value, ok := data(r.buf[r.start+low : r.start+high])
		switch {
		case ok && from < 0:
			from, to = high-len(value), high
		case ok:
			// Join several data lines with line breaks.
			r.buf[r.start+to] = '\n'
			to += 1 + copy(r.buf[r.start+to+1:], value)
		case from < 0:
			r.start = r.next // drop comments and other fields
		}
	}
}

// Unended reports whether the stream ended without a newline. In that case, the last event might
// be truncated.
func (r *Reader) Unended() bool { return r.open }

// Ready reports whether the blank line at the end of an event has arrived. If so, [Reader.Next]
// usually does not wait.
func (r *Reader) Ready() bool {
	came := r.buf[r.next:r.end]
	return bytes.Contains(came, []byte("\n\n")) || bytes.Contains(came, []byte("\n\r\n"))
}

// data parses a "data" line and returns the field's value. For other lines, the second result is
// false.
func data(line []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(line, []byte("data"))
	if !ok {
		return nil, false
	}
	if len(rest) == 0 {
		return rest, true
	}
	if rest[0] != ':' {
		return nil, false
	}
	rest = rest[1:]
	if len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	return rest, true
}

// line returns the bounds of the next line. They are relative to r.start and exclude the line
// ending.
func (r *Reader) line() (low, high int, err error) {
	seen := r.next
	for {
		if i := bytes.IndexByte(r.buf[seen:r.end], '\n'); i >= 0 {
			low, high = r.next, seen+i
			r.next = high + 1
			break
		}
		seen = r.end
		if r.err != nil {
			// After io.EOF, the remaining bytes form the last line.
			if !errors.Is(r.err, io.EOF) || r.next == r.end {
				return 0, 0, r.err
			}
			low, high = r.next, r.end
			r.next, r.open = r.end, true
			break
		}
		moved, err := r.fill()
		if err != nil {
			return 0, 0, err
		}
		seen -= moved
	}
	if high > low && r.buf[high-1] == '\r' {
		high--
	}
	if !r.begun {
		r.begun = true
		if mark := []byte("\ufeff"); bytes.HasPrefix(r.buf[low:high], mark) {
			low += len(mark)
		}
	}
	return low - r.start, high - r.start, nil
}

// fill makes room in the buffer and reads more data. moved is the number of bytes by which the old
// data has moved toward the beginning.
func (r *Reader) fill() (moved int, err error) {
	if r.end-r.start >= r.limit {
		r.err = fmt.Errorf("%w: more than %d MB in one event", ErrTooLong, r.limit>>20)
		return 0, r.err
	}
	if len(r.buf)-r.end < leastRoom && r.start > 0 {
		moved = r.start
		copy(r.buf, r.buf[r.start:r.end])
		r.start, r.next, r.end = 0, r.next-moved, r.end-moved
	}
	if len(r.buf)-r.end < leastRoom && len(r.buf) < r.limit {
		grown := make([]byte, min(2*len(r.buf), r.limit))
		copy(grown, r.buf[:r.end])
		r.buf = grown
	}
	for range 100 {
		n, err := r.source.Read(r.buf[r.end:])
		r.end += n
		r.err = err
		if n > 0 || err != nil {
			return moved, nil
		}
	}
	r.err = io.ErrNoProgress
	return moved, nil
}
