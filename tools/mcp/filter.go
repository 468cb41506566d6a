package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// longestLine is the maximum length of a message from a server, in bytes.
const longestLine = 8 << 20

// filter is an [io.Reader] that returns the messages in a stream, one per line. It passes any other
// line to a callback.
type filter struct {
	from    *bufio.Reader
	end     io.Closer
	said    func(line string)
	traffic *traffic
	rest    []byte
}

func newFilter(from io.ReadCloser, said func(string), traffic *traffic) *filter {
	return &filter{from: bufio.NewReaderSize(from, 64<<10), end: from, said: said, traffic: traffic}
}

// Read implements [io.Reader].
func (f *filter) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		line, dropped, err := f.line()
		if len(line) > 0 {
			f.rest = f.message(line, dropped)
		}
		if err != nil && len(f.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// Close implements [io.Closer].
func (f *filter) Close() error { return f.end.Close() }

// line returns the next line, cut to at most longestLine bytes, and the number of bytes that were
// dropped.
func (f *filter) line() (line []byte, dropped int, err error) {
	for {
		part, err := f.from.ReadSlice('\n')
		if room := longestLine - len(line); len(part) > room {
			dropped += len(part) - room
			part = part[:room]
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, dropped, err
		}
	}
}

// identity returns a pattern that matches the id in a message.
var identity = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"id"\s*:\s*(\d{1,18}|"[A-Za-z0-9_-]{1,64}")\s*[,}]`)
})

// message converts a line from the server to a valid message, or returns nil to drop the line. It
// replaces an overlong or invalid reply with an error reply if it finds the ID.
func (f *filter) message(line []byte, dropped int) []byte {
	line = bytes.TrimSpace(line)
	f.traffic.count(len(line) + dropped)
	switch {
	case len(line) == 0:
		return nil
	case dropped > 0:
		f.said(fmt.Sprintf("[Marvin dropped a message of %d MB; the limit is %d MB]", (len(line)+dropped)>>20, longestLine>>20))
		if id := identity().FindSubmatch(line[:min(len(line), 256)]); id != nil {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"the answer is larger than %d MB and was dropped; ask for less at a time"}}`+"\n", id[1], longestLine>>20)
		}
		return nil
	case line[0] != '{':
		f.said(string(line[:min(len(line), 500)]))
		return nil
	}
	line = readable(line, f.said)
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		f.said(string(line[:min(len(line), 500)]))
		if id := replyID(line); id != nil {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32700,"message":%q}}`+"\n", id, "the server's answer is not JSON: "+err.Error())
		}
		return nil
	}
	if !f.traffic.admits(message) {
		return nil
	}
	return append(line, '\n')
}

// replyID returns the request id from a reply that is invalid JSON. It returns nil if the line does
// not look like a reply.
func replyID(line []byte) []byte {
	if !bytes.Contains(line, []byte(`"jsonrpc"`)) || bytes.Contains(line, []byte(`"method"`)) {
		return nil
	}
	for _, part := range [][]byte{line[:min(len(line), 256)], line[max(0, len(line)-256):]} {
		if id := identity().FindSubmatch(part); id != nil {
			return id[1]
		}
	}
	return nil
}
