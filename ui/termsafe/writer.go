package termsafe

import (
	"io"
	"sync"
	"unicode/utf8"
)

// Writer cleans text as [String] does, and writes it to another writer. The output does not depend
// on how the text is split into writes. An incomplete character (at most three bytes) at the end of
// a write waits for the next write. A Writer is safe for concurrent use.
type Writer struct {
	mu     sync.Mutex
	out    io.Writer
	held   []byte // incomplete character
	broken bool   // the last byte was invalid; one U+FFFD replaces consecutive invalid bytes
	buffer []byte
}

// NewWriter returns a Writer for a terminal.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Write cleans a piece of text and passes the result to the underlying writer.
func (w *Writer) Write(piece []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := piece
	if len(w.held) > 0 {
		text = append(w.held, piece...)
	}
	w.buffer = w.buffer[:0]
	for len(text) > 0 && utf8.FullRune(text) {
		text = text[w.take(text):]
	}
	w.held = append([]byte(nil), text...)
	if err := w.put(); err != nil {
		return 0, err
	}
	return len(piece), nil
}

// Flush ends the text. It treats an incomplete character at the end as invalid UTF-8.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buffer = w.buffer[:0]
	for text := w.held; len(text) > 0; {
		text = text[w.take(text):]
	}
	w.held = nil
	return w.put()
}

// take appends the first character of text to w.buffer, but drops harmful characters. The result is
// the number of bytes consumed.
func (w *Writer) take(text []byte) int {
	r, size := utf8.DecodeRune(text)
	broken := r == utf8.RuneError && size == 1
	switch {
	case broken && !w.broken:
		w.buffer = utf8.AppendRune(w.buffer, utf8.RuneError)
	case !broken && !harmful(r):
		w.buffer = append(w.buffer, text[:size]...)
	}
	w.broken = broken
	return size
}

// maxBuffer is the maximum capacity, in bytes, of a buffer that is kept for the next write.
const maxBuffer = 64 << 10

func (w *Writer) put() error {
	if len(w.buffer) == 0 {
		return nil
	}
	_, err := w.out.Write(w.buffer)
	if cap(w.buffer) > maxBuffer {
		w.buffer = nil
	}
	return err
}
