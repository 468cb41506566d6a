package ollama

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"marvin/providers"
	"marvin/providers/internal/scan"
)

// lineLimit is the maximum length of a line that ollama's client reads, in bytes.
const lineLimit = 8_000_000

// tap is the transport of one request. It records how the response body ended, because Ollama's
// client does not report this. It also decodes text and reasoning, in half the client's time.
type tap struct {
	next     http.RoundTripper
	answer   *answer // the answer that collects the decoded text and reasoning
	answered bool    // the server sent a status
	broken   error   // the error from reading the body
	ended    bool    // the body ended properly
	line     int     // the length of the current line so far, in bytes
	longest  int     // the length of the longest line, in bytes
}

// RoundTrip returns an error status as an error, because the client would keep only the first line
// of the server's text.
func (t *tap) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	t.answered = true
	if response.StatusCode >= http.StatusBadRequest {
		return nil, providers.ReadStatus(name, response, "")
	}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "text/html" {
		defer response.Body.Close()
		page, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // an excerpt is enough
		return nil, fmt.Errorf("%w: a web page answered instead of Ollama: %s; check Ollama's address", providers.ErrMalformed, providers.Clean(string(page), ""))
	}
	response.Body = &tappedBody{ReadCloser: response.Body, tap: t, lines: bufio.NewReaderSize(response.Body, 64<<10)}
	return response, nil
}

type tappedBody struct {
	io.ReadCloser
	tap    *tap
	lines  *bufio.Reader
	rest   []byte // the rest of the current line
	inside bool   // the previous read returned only part of a line
	err    error  // the error that ended the body, such as io.EOF
	scan   scanner
	halves scan.HalfJoiner
}

// Read returns at most one line per call, so that the client handles each line before the next line
// can go directly to the answer.
func (b *tappedBody) Read(to []byte) (int, error) {
	for len(b.rest) == 0 && b.err == nil {
		b.rest, b.err = b.next()
	}
	n := copy(to, b.rest)
	b.rest = b.rest[n:]
	var err error
	if n == 0 {
		err = b.err
	}
	if end := bytes.LastIndexByte(to[:n], '\n'); end >= 0 {
		b.tap.longest = max(b.tap.longest, b.tap.line+bytes.IndexByte(to[:n], '\n'))
		b.tap.line = n - end - 1
	} else {
		b.tap.line += n
	}
	b.tap.longest = max(b.tap.longest, b.tap.line)
	if errors.Is(err, io.EOF) {
		b.tap.ended = true
	} else if err != nil {
		b.tap.broken = err
	}
	return n, err
}

// next returns a line, or a piece of a long line. It returns no data if the line went directly to
// the answer.
func (b *tappedBody) next() ([]byte, error) {
	if came, _ := b.lines.Peek(b.lines.Buffered()); bytes.IndexByte(came, '\n') < 0 {
		b.tap.answer.pieces.Release() // before a read that can block
	}
	line, err := b.lines.ReadSlice('\n')
	begins := !b.inside
	b.inside = errors.Is(err, bufio.ErrBufferFull)
	if b.inside {
		err = nil
	}
	if begins && err == nil && !b.inside {
		line = b.halves.Join(line)
		if read, usual := b.scan.line(line); usual && b.tap.answer.add(read) {
			return nil, nil
		}
	}
	return line, err
}

// isMalformed reports whether the client failed to decode a line. The client returns either a JSON
// error or an error whose text is the line. The second kind differs from the server's own errors
// only in the text.
func isMalformed(err error) bool {
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return true
	}
	text := strings.TrimSpace(err.Error())
	return text == "" || strings.ContainsRune("{[<", rune(text[0]))
}

// streamStatus returns the HTTP status for an error inside a stream.
func streamStatus(text string) int {
	if strings.Contains(text, "context length") {
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}
