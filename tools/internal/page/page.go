package page

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/text"
)

// These limits keep a page below [tools.ResultLimits], because a larger result loses its middle
// part.
const (
	maxBytes  = 56 << 10
	maxRows   = 1900
	maxTokens = 15_000
	maxLine   = 3 << 10
	minRoom   = 500 // minimum number of tokens for a useful page
	reserve   = 150 // tokens reserved for notices
)

// ErrNoRoom means that the conversation's context has no room for another file.
var ErrNoRoom = errors.New("there is no room left in the context for a file")

// ErrBinary means that a requested line contains a NUL byte.
var ErrBinary = errors.New("it is binary data")

// Request describes the lines to show.
type Request struct {
	First, Last int                                  // counted from 1; if Last is 0, the text is read to its end
	Row         func(number int, line string) string // optional formatter for each line
	Bytes       int                                  // the maximum size of the page; 0 means maxBytes
	LineBytes   int                                  // the maximum size of a line; 0 means maxLine
	Room        int                                  // tokens left in the conversation
}

// Page is the result of a [Read] call.
type Page struct {
	Text        string
	First, Last int  // the lines shown; Last < First means none
	Total       int  // the number of lines in the text if First is past the last line; otherwise 0
	Cut         bool // the requested lines did not fit
	End         bool // the page ends with the last line of the text, or the text is empty
	Mended      bool // invalid UTF-8 was replaced by �
	LongLines   bool // at least one line was shortened
}

// Read reads the requested lines, or as many as fit on a page.
func Read(ctx context.Context, r io.Reader, request Request) (Page, error) {
	if request.Room < minRoom {
		return Page{}, tools.Advise(ErrNoRoom, "About %d tokens are left. Finish with the available information, or ask for less.", max(request.Room, 0))
	}
	w := writer{request: request, tokens: min(maxTokens, request.Room) - reserve, bytes: maxBytes, line: maxLine}
	if request.Bytes > 0 {
		w.bytes = request.Bytes
	}
	if request.LineBytes > 0 {
		w.line = request.LineBytes
	}
	w.page.First, w.page.Last = max(request.First, 1), max(request.First, 1)-1
	err := w.copy(ctx, bufio.NewReaderSize(r, 64<<10))
	w.page.Text = w.out.String()
	return w.page, err
}

type writer struct {
	request             Request
	page                Page
	out                 strings.Builder
	tokens, bytes, line int    // the tokens and bytes that are left, and the limit for one line
	buffer, ending      []byte // the current line and its last two bytes
}

func (w *writer) copy(ctx context.Context, r *bufio.Reader) error {
	for number := 1; ; number++ {
		if number%1000 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if w.request.Last > 0 && number > w.request.Last {
			return w.peekEnd(r)
		}
		skip := number < w.page.First
		total, newline, err := w.next(ctx, r, skip)
		if err != nil {
			return err
		}
		if total == 0 && !newline {
			w.page.End = true
			if w.page.Last < w.page.First {
				w.page.Total = number - 1
			}
			return nil
		}
		if skip {
			continue
		}
		if bytes.IndexByte(w.buffer, 0) >= 0 {
			return fmt.Errorf("%w: line %d contains a NUL byte", ErrBinary, number)
		}
		if !w.add(number, total, newline) {
			w.page.Cut = true
			return nil
		}
	}
}

// next consumes a line and returns its full length, without the line ending. It stores the
// beginning of the line, at most w.line+2 bytes, in the buffer. If skip is true, nothing is stored.
func (w *writer) next(ctx context.Context, r *bufio.Reader, skip bool) (total int, newline bool, err error) {
	w.buffer, w.ending = w.buffer[:0], w.ending[:0]
	for {
		piece, err := r.ReadSlice('\n')
		total += len(piece)
		if !skip && len(w.buffer) < w.line {
			w.buffer = append(w.buffer, piece[:min(len(piece), w.line-len(w.buffer)+2)]...)
		}
		w.ending = append(w.ending, piece[max(0, len(piece)-2):]...)
		if extra := len(w.ending) - 2; extra > 0 {
			w.ending = w.ending[:copy(w.ending, w.ending[extra:])]
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if ctx.Err() != nil {
				return 0, false, context.Cause(ctx)
			}
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return 0, false, fmt.Errorf("read: %w", err)
		}
		end := 0
		if bytes.HasSuffix(w.ending, []byte("\r\n")) {
			end = 2
		} else if bytes.HasSuffix(w.ending, []byte("\n")) {
			end = 1
		}
		if len(w.buffer) == total {
			w.buffer = w.buffer[:len(w.buffer)-end]
		}
		return total - end, end > 0, nil
	}
}

// add appends the current line to the page, or returns false if the page is full.
func (w *writer) add(number, total int, newline bool) bool {
	line := string(w.buffer[:min(len(w.buffer), w.line)])
	if number == 1 {
		line = strings.TrimPrefix(line, text.BOM)
	}
	more := total - len(w.buffer[:min(len(w.buffer), w.line)])
	if more > 0 {
		line = cutRune(line)
	}
	if clean := strings.ToValidUTF8(line, "�"); clean != line {
		line, w.page.Mended = clean, true
	}
	if tokens := tools.EstimateTokens(line); tokens > w.tokens && w.page.Last < w.page.First && w.tokens > 0 {
		kept := cutRune(line[:int(float64(len(line))*float64(w.tokens)/float64(tokens))])
		more += len(line) - len(kept)
		line = kept
	}
	if more > 0 {
		line += fmt.Sprintf("[… %d more bytes on this line]", more)
		w.page.LongLines = true
	}
	if w.request.Row != nil {
		line = w.request.Row(number, line)
	}
	if newline || w.request.Row != nil {
		line += "\n"
	}
	w.tokens -= tools.EstimateTokens(line)
	w.bytes -= len(line)
	first := w.page.Last < w.page.First
	if !first && (w.tokens < 0 || w.bytes < 0 || number-w.page.First >= maxRows) {
		return false
	}
	w.out.WriteString(line)
	w.page.Last = number
	return true
}

// peekEnd records whether the page ends where the text ends.
func (w *writer) peekEnd(r *bufio.Reader) error {
	_, err := r.Peek(1)
	w.page.End = errors.Is(err, io.EOF)
	return nil
}

// cutRune removes an incomplete character from the end.
func cutRune(line string) string {
	for i := 1; i <= 3 && i <= len(line); i++ {
		if b := line[len(line)-i]; b < 0x80 {
			break
		} else if b >= 0xC0 {
			if !strings.HasPrefix(strings.ToValidUTF8(line[len(line)-i:], ""), line[len(line)-i:]) {
				return line[:len(line)-i]
			}
			break
		}
	}
	return line
}
