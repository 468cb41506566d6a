package proc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// Output contains a whole stream, or the beginning and the end of a long stream.
type Output struct {
	Bytes []byte
	Total int64 // bytes that the child wrote
	Lines int64 // line breaks that the child wrote
	cut   int   // Bytes[:cut] is the beginning, and Bytes[cut:] is the end
	nul   bool
	draws bool
}

// Dropped returns the number of missing bytes.
func (o Output) Dropped() int64 { return o.Total - int64(len(o.Bytes)) }

// HeadAndTail returns the stored beginning and end of the stream. If nothing is missing, head is
// the whole stream.
func (o Output) HeadAndTail() (head, tail []byte) {
	if o.Dropped() == 0 {
		return o.Bytes, nil
	}
	return o.Bytes[:o.cut], o.Bytes[o.cut:]
}

// Binary reports whether the stream contained a NUL byte.
func (o Output) Binary() bool { return o.nul }

// ChangesLines reports whether the stream contains an escape sequence. Any escape sequence could
// change other lines. Bytes are checked on arrival, when they are still in the CPU cache.
func (o Output) ChangesLines() bool { return o.draws }

// Text returns the stream as valid UTF-8, with a note about missing parts.
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

// keeper is a writer that stores the first and the last limit/2 bytes of a stream.
type keeper struct {
	limit int
	last  *atomic.Pointer[keeper]
	both  io.Writer // an additional writer for the output, or nil

	mu    sync.Mutex
	kept  []byte // the beginning and the end of the stream; the end can grow to 5/8 of limit
	total int64
	lines int64
	nul   bool
	draws bool
	half  bool // the last byte may be the first byte of U+009B
	other bool // see alternate
}

// halves divides k.limit between the beginning and the end of the stream.
func (k *keeper) halves() (head, tail int) { return k.limit / 2, k.limit - k.limit/2 }

func (k *keeper) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last.Store(k)
	if k.both != nil {
		_, _ = guarded{k.both}.Write(p)
	}
	k.total += int64(len(p))
	k.lines += int64(bytes.Count(p, []byte{'\n'}))
	k.trackScreen(p)
	k.nul = k.nul || bytes.IndexByte(p, 0) >= 0
	k.seek(p)
	head, tail := k.halves()
	rest := p
	if room := head - len(k.kept); room > 0 {
		n := min(room, len(rest))
		k.kept = append(k.kept, rest[:n]...)
		rest = rest[n:]
	}
	rest = rest[max(0, len(rest)-tail):]
	if len(k.kept)-head+len(rest) > tail+tail/4 {
		k.drop(tail - len(rest))
	}
	k.kept = append(k.kept, rest...)
	return len(p), nil
}

// seek assigns true to k.draws if p contains ESC or U+009B, which begin escape sequences. U+009B
// can be split between two writes.
func (k *keeper) seek(p []byte) {
	if k.draws || len(p) == 0 {
		return
	}
	k.draws = bytes.IndexByte(p, 0x1B) >= 0 || bytes.Contains(p, []byte("\u009b")) || k.half && p[0] == 0x9B
	k.half = p[len(p)-1] == 0xC2
}

// drop discards all but the last n bytes after the head.
func (k *keeper) drop(n int) {
	head, _ := k.halves()
	if beyond := len(k.kept) - head - n; beyond > 0 {
		k.kept = append(k.kept[:head], k.kept[head+beyond:]...)
	}
}

// joined combines two writers into a writer that writes to both. If either writer is nil, joined
// returns the other.
func joined(a, b io.Writer) io.Writer {
	switch {
	case b == nil:
		return a
	case a == nil:
		return b
	}
	return io.MultiWriter(guarded{a}, guarded{b})
}

func (k *keeper) output() Output {
	k.mu.Lock()
	defer k.mu.Unlock()
	head, tail := k.halves()
	k.drop(tail)
	return Output{Bytes: bytes.Clone(k.kept), Total: k.total, Lines: k.lines, cut: min(len(k.kept), head), nul: k.nul, draws: k.draws}
}

// lastLine returns the last line that is not empty, even if it is unfinished.
func (k *keeper) lastLine() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	text := bytes.TrimSpace(k.kept[max(0, len(k.kept)-1000):])
	text = text[bytes.LastIndexAny(text, "\r\n")+1:]
	return strings.ToValidUTF8(string(text), "�")
}
