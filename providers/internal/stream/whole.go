package stream

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"marvin/providers"
	"marvin/providers/internal/sse"
)

// WholeBody reports whether the server sent one body instead of a stream, and returns the media
// type. It examines the first nonblank character, because the Content-Type can be wrong. If the
// server has sent only white space, as a keep-alive, WholeBody uses the Content-Type.
func WholeBody(header http.Header, body *bufio.Reader) (kind string, whole bool) {
	kind, _, _ = mime.ParseMediaType(header.Get("Content-Type"))
	_, _ = body.Peek(1) // wait for the first byte; the next read reports any error
	begin, _ := body.Peek(body.Buffered())
	if begin = bytes.TrimSpace(begin); len(begin) == 0 {
		return kind, strings.HasSuffix(kind, "json") || kind == "text/html"
	}
	// A stream begins with a comment, a field (data, event, id or retry), or a byte order mark.
	return kind, bytes.IndexByte([]byte(":deir\xef"), begin[0]) < 0
}

func (s *Server) readWhole(body io.Reader, kind, key string, answer Answer) error {
	data, err := io.ReadAll(io.LimitReader(body, sse.DefaultLimit))
	switch {
	case err != nil:
		return fmt.Errorf("%w: the connection to %s broke: %w", providers.ErrCut, s.provider, err)
	case len(bytes.TrimSpace(data)) == 0:
		return fmt.Errorf("%w: %s sent no answer; check the server's address", providers.ErrMalformed, s.provider)
	}
	defer answer.Release()
	if err := answer.TakeWhole(data); err != nil || answer.Whole() {
		return err
	}
	return fmt.Errorf("%w: %s answered %s instead of a stream of events: %.200s; check the server's address", providers.ErrMalformed, s.provider, kind, providers.Clean(string(data[:min(len(data), 4<<10)]), key))
}
