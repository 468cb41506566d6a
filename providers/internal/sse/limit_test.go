package sse_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"marvin/providers/internal/sse"
)

// The limit is for one event: many events, with comments between them, pass through a reader that
// has room for only a few; an event that is too long does not.
func TestTheLimitIsThatOfOneEvent(t *testing.T) {
	const limit = 64
	for name, row := range map[string]struct {
		input string
		want  int
		err   error
	}{
		"many":               {strings.Repeat("data: twenty characters ok\n\n", 500), 500, io.EOF},
		"comments between":   {strings.Repeat(": a comment that is rather long\nevent: x\ndata: y\n\n", 500), 500, io.EOF},
		"comments alone":     {strings.Repeat(": a comment that is rather long\n", 500), 0, io.EOF},
		"lines of one":       {strings.Repeat("data: 12345678\ndata: 12345678\ndata: 12345678\n\n", 100), 100, io.EOF},
		"one too long":       {"data: a\n\ndata: " + strings.Repeat("x", limit) + "\n\ndata: b\n\n", 1, sse.ErrTooLong},
		"too long by lines":  {"data: a\n\n" + strings.Repeat("data: 12345678\n", 10) + "\n", 1, sse.ErrTooLong},
		"a comment too long": {"data: a\n\n:" + strings.Repeat("x", limit) + "\n\n", 1, sse.ErrTooLong},
	} {
		reader := sse.NewReader(strings.NewReader(row.input), limit)
		events, err := all(reader)
		if len(events) != row.want || !errors.Is(err, row.err) {
			t.Errorf("%s: %d events, %v", name, len(events), err)
		}
		if row.err == io.EOF && reader.Ready() {
			t.Errorf("%s: more is there at the end", name)
		}
	}
	for input, ready := range map[string]bool{"data: a\n\ndata: b\n\n": true, "data: a\n\ndata: b\r\n\r\n": true, "data: a\n\ndata: b\n": false, "data: a\n\n": false} {
		reader := sse.NewReader(strings.NewReader(input), 1<<10)
		if _, err := reader.Next(); err != nil || reader.Ready() != ready {
			t.Errorf("%q: the next one is there: %t, %v", input, reader.Ready(), err)
		}
	}
}
