package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"marvin/tools"
)

func show(t *testing.T, text string, request Request) Page {
	t.Helper()
	if request.Room == 0 {
		request.Room = 50_000
	}
	got, err := Read(context.Background(), iotest.OneByteReader(strings.NewReader(text)), request)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPageOfLines(t *testing.T) {
	number := func(n int, line string) string { return fmt.Sprintf("%d:%s", n, line) }
	for name, row := range map[string]struct {
		text    string
		request Request
		want    Page
	}{
		"all":               {"a\r\nb\n", Request{}, Page{Text: "a\nb\n", First: 1, Last: 2, End: true}},
		"open end":          {"a\nb", Request{}, Page{Text: "a\nb", First: 1, Last: 2, End: true}},
		"open end, numbers": {"a\nb", Request{Row: number}, Page{Text: "1:a\n2:b\n", First: 1, Last: 2, End: true}},
		"middle":            {"a\nb\nc\n", Request{First: 2, Last: 2, Row: number}, Page{Text: "2:b\n", First: 2, Last: 2}},
		"to the end":        {"a\nb\n", Request{First: 2, Last: 2, Row: number}, Page{Text: "2:b\n", First: 2, Last: 2, End: true}},
		"behind the end":    {"a\n", Request{First: 3}, Page{First: 3, Last: 2, Total: 1, End: true}},
		"empty":             {"", Request{}, Page{First: 1, Last: 0, End: true}},
		"blank lines":       {"\n\n", Request{Row: number}, Page{Text: "1:\n2:\n", First: 1, Last: 2, End: true}},
		"mark":              {"\ufeffa\n", Request{}, Page{Text: "a\n", First: 1, Last: 1, End: true}},
		"foreign bytes":     {"\xe9\n", Request{}, Page{Text: "�\n", First: 1, Last: 1, End: true, Mended: true}},
		"line at its limit": {"12345\r\n", Request{LineBytes: 5}, Page{Text: "12345\n", First: 1, Last: 1, End: true}},
		"line over it":      {"123456\r\nx\n", Request{LineBytes: 5}, Page{Text: "12345[… 1 more bytes on this line]\nx\n", First: 1, Last: 2, End: true, LongLines: true}},
		"cut in a rune":     {"abcdé\n", Request{LineBytes: 5}, Page{Text: "abcd[… 1 more bytes on this line]\n", First: 1, Last: 1, End: true, LongLines: true}},
		"bytes":             {"aaaa\nbbbb\ncccc\n", Request{Bytes: 11}, Page{Text: "aaaa\nbbbb\n", First: 1, Last: 2, Cut: true}},
	} {
		if got := show(t, row.text, row.request); got != row.want {
			t.Errorf("%s: %+v, want %+v", name, got, row.want)
		}
	}
}

func TestPageKeepsItsLimits(t *testing.T) {
	for _, line := range []string{"x\n", "日本語日本語\n", strings.Repeat("é", 5000) + "\n", strings.Repeat("y", 100_000), "\xff\xfe\xfd\n"} {
		for _, room := range []int{minRoom, 3000, 1_000_000} {
			got := show(t, strings.Repeat(line, 30_000/len(line)+3), Request{Room: room})
			if tokens := tools.EstimateTokens(got.Text); tokens > room || len(got.Text) > maxBytes || got.Last-got.First >= maxRows+1 {
				t.Errorf("%.10q, room %d: %d tokens, %d bytes, lines %d to %d", line, room, tokens, len(got.Text), got.First, got.Last)
			}
			if !utf8.ValidString(got.Text) || got.Last < got.First {
				t.Errorf("%.10q, room %d: valid %v, lines %d to %d", line, room, utf8.ValidString(got.Text), got.First, got.Last)
			}
		}
	}
}

func TestPageErrors(t *testing.T) {
	request := Request{Room: 1000}
	if _, err := Read(context.Background(), strings.NewReader("a\nb\x00\n"), request); !errors.Is(err, ErrBinary) {
		t.Errorf("NUL: %v", err)
	}
	if _, err := Read(context.Background(), iotest.ErrReader(io.ErrClosedPipe), request); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("reader: %v", err)
	}
	if _, err := Read(context.Background(), strings.NewReader("a"), Request{Room: minRoom - 1}); !errors.Is(err, ErrNoRoom) {
		t.Errorf("room: %v", err)
	}
}
