package proc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// Output is what is kept of a stream: all of it, or its beginning and its end.
type Output struct {
	Bytes []byte
	Total int64 // bytes that the child wrote
	Lines int64 // line breaks among them
	cut   int   // where in Bytes the middle is missing
	nul   bool
}

// Dropped is how many bytes of the middle are missing.
func (o Output) Dropped() int64 { return o.Total - int64(len(o.Bytes)) }

// Ends are what is kept of the beginning and of the end; all is in the beginning where
// nothing is missing.
func (o Output) Ends() (head, tail []byte) {
	if o.Dropped() == 0 {
		return o.Bytes, nil
	}
	return o.Bytes[:o.cut], o.Bytes[o.cut:]
}

// Binary says that the stream held a NUL byte, as no text does.
func (o Output) Binary() bool { return o.nul }

// Text is the stream for a reader: valid UTF-8, with what is missing said in words.
func (o Output) Text() string {
	if o.nul {
		return fmt.Sprintf("[binary output, %d bytes, not shown]\n", o.Total)
	}
	if o.Dropped() == 0 {
		return strings.ToValidUTF8(string(o.Bytes), "�")
	}
	text := fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", o.Bytes[:o.cut], o.Dropped(), o.Bytes[o.cut:])
	return strings.ToValidUTF8(text, "�")
}

// keeper is a writer that keeps the first and the last half of limit bytes.
type keeper struct {
	limit int
	last  *atomic.Pointer[keeper]
	both  io.Writer // gets all of it too; may be nil

	mu         sync.Mutex
	head, tail []byte // tail grows to a quarter more than its half before its beginning is dropped
	total      int64
	lines      int64
	nul        bool
	other      bool // see alternate
}

func (k *keeper) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last.Store(k)
	if k.both != nil {
		_, _ = guarded{k.both}.Write(p)
	}
	k.total += int64(len(p))
	k.lines += int64(bytes.Count(p, []byte{'\n'}))
	k.note(p)
	k.nul = k.nul || bytes.IndexByte(p, 0) >= 0
	rest := p
	if room := k.limit/2 - len(k.head); room > 0 {
		n := min(room, len(rest))
		k.head, rest = append(roomFor(k.head, n, k.limit/2), rest[:n]...), rest[n:]
	}
	half := k.limit - k.limit/2
	rest = rest[max(0, len(rest)-half):]
	if len(k.tail)+len(rest) > half+half/4 {
		k.tail = append(k.tail[:0], k.tail[len(k.tail)-(half-len(rest)):]...)
	}
	k.tail = append(roomFor(k.tail, len(rest), half+half/4), rest...)
	return len(p), nil
}

// roomFor is a buffer with room for so many bytes more. It grows to most and not beyond, as
// append alone would let it.
func roomFor(buffer []byte, more, most int) []byte {
	if len(buffer)+more <= cap(buffer) {
		return buffer
	}
	return append(make([]byte, 0, max(len(buffer)+more, min(2*cap(buffer), most))), buffer...)
}

// together writes to both, of which either may be nil.
func together(both, beside io.Writer) io.Writer {
	switch {
	case beside == nil:
		return both
	case both == nil:
		return beside
	}
	return io.MultiWriter(guarded{both}, guarded{beside})
}

func (k *keeper) output() Output {
	k.mu.Lock()
	defer k.mu.Unlock()
	tail := k.tail[max(0, len(k.tail)-(k.limit-k.limit/2)):]
	return Output{Bytes: append(bytes.Clone(k.head), tail...), Total: k.total, Lines: k.lines, cut: len(k.head), nul: k.nul}
}

// lastLine is the last line that has something in it, also an unfinished one.
func (k *keeper) lastLine() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	text := k.tail
	if len(text) == 0 {
		text = k.head
	}
	text = bytes.TrimSpace(text[max(0, len(text)-1000):])
	text = text[bytes.LastIndexAny(text, "\r\n")+1:]
	return strings.ToValidUTF8(string(text), "�")
}
