package dialect_test

import (
	"bufio"
	"io"
	"net/http"
)

// lineByLine is a transport whose bodies return one line with each read.
type lineByLine struct{}

func (lineByLine) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil {
		response.Body = &lines{ReadCloser: response.Body, from: bufio.NewReader(response.Body)}
	}
	return response, err
}

type lines struct {
	io.ReadCloser
	from *bufio.Reader
	rest []byte
}

func (l *lines) Read(to []byte) (int, error) {
	var err error
	if len(l.rest) == 0 {
		l.rest, err = l.from.ReadBytes('\n')
	}
	n := copy(to, l.rest)
	l.rest = l.rest[n:]
	if n > 0 {
		err = nil // the next read returns it again
	}
	return n, err
}
