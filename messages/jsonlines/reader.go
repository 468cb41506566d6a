package jsonlines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Limit is how long a line may be, in bytes. It is twice the longest prompt, since
// JSON escapes make a text longer.
const Limit = 8 << 20

// bufferSize is small, because each open window has a reader: with 64 KiB, 200 idle pages took
// 13 MiB more.
const bufferSize = 8 << 10

// headSize is how many bytes of a line that is too long are kept.
const headSize = 512

// Line is one line that is not blank.
type Line struct {
	Number int    // from 1, blank lines counted
	Data   []byte // without the line break and the blanks around it; the owner is the caller
	Whole  bool   // it ended with a line break
	Start  int64  // where it begins, in bytes
	Err    error  // it is too long; there is no Data then
	Head   []byte // of a line that is too long: its first bytes
}

// Reader reads lines in memory bounded by [Limit].
type Reader struct {
	in     *bufio.Reader
	number int
	offset int64
}

// NewReader reads in from its present place.
func NewReader(in io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(in, bufferSize)} }

// Next returns the next line that is not blank. The error is io.EOF after the last one, or why
// reading failed.
func (r *Reader) Next() (Line, error) {
	for {
		line, err := r.line()
		if line.Err != nil || len(line.Data) > 0 {
			return line, nil
		}
		if err != nil {
			return Line{}, err
		}
	}
}

// line reads up to the next line break. What is behind the limit is read and dropped.
func (r *Reader) line() (Line, error) {
	r.number++
	line := Line{Number: r.number, Start: r.offset}
	size := 0
	for {
		piece, err := r.in.ReadSlice('\n')
		r.offset += int64(len(piece))
		size += len(piece)
		if size <= Limit {
			line.Data = append(line.Data, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		line.Whole = err == nil
		line.Data = bytes.TrimSpace(line.Data)
		if line.Number == 1 {
			line.Data = bytes.TrimPrefix(line.Data, []byte("\ufeff")) // as some editors begin a file
		}
		if size > Limit {
			line.Head = bytes.Clone(line.Data[:min(len(line.Data), headSize)])
			line.Data, line.Err = nil, fmt.Errorf("the line is %d MB long, more than the limit of %d MB", size>>20, Limit>>20)
		}
		return line, err
	}
}
