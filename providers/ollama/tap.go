package ollama

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"marvin/providers"
)

// lineLimit is what the client of ollama reads of a line, in bytes.
const lineLimit = 8_000_000

// tap is the transport of one request. It keeps what the client does not tell: how
// the body ended, and the whole of an error.
type tap struct {
	next     http.RoundTripper // nil is the default
	answered bool              // the server sent a status
	broken   error             // reading the body failed
	ended    bool              // the body came to its end
	line     int               // bytes of the line that is being read
	longest  int
}

// RoundTrip sends the request. An error status becomes an error here, although that
// is for transports to avoid: the client would keep its first line only.
func (t *tap) RoundTrip(request *http.Request) (*http.Response, error) {
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	response, err := next.RoundTrip(request)
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
		return nil, fmt.Errorf("%w: not Ollama but a page answered: %s; check its address", providers.ErrMalformed, providers.Clean(string(page), ""))
	}
	response.Body = &tappedBody{response.Body, t}
	return response, nil
}

type tappedBody struct {
	io.ReadCloser
	tap *tap
}

func (b *tappedBody) Read(to []byte) (int, error) {
	n, err := b.ReadCloser.Read(to)
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

// isMalformed reports whether an error of the client is a line that it could not
// decode. It returns such a line as the text of the error, like an error that the
// server sent inside the stream.
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

// streamStatus is the status that an error inside a stream would have had in front
// of it.
func streamStatus(text string) int {
	if strings.Contains(text, "context length") {
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}
