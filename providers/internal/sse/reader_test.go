package sse_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"marvin/providers/internal/scan"
	"marvin/providers/internal/sse"
)

// all returns a copy of every event.
func all(reader *sse.Reader) (events []string, err error) {
	for {
		data, err := reader.Next()
		if err != nil {
			return events, err
		}
		events = append(events, string(data))
	}
}

func TestEvents(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"plain", "data: a\n\ndata: b\n\n", []string{"a", "b"}},
		{"nothing", "", nil},
		{"no space", "data:a\n\n", []string{"a"}},
		{"only one space goes", "data:  a \n\n", []string{" a "}},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}},
		{"comments", ": OPENROUTER PROCESSING\n\n:\n: x\ndata: a\n: y\n\n: z\n\n", []string{"a"}},
		{"other fields", "event: message\nid: 1\nretry: 10\ndata: a\nunknown\n\n", []string{"a"}},
		{"several lines", "data: {\ndata: \"a\":1\ndata\ndata:}\n\n", []string{"{\n\"a\":1\n\n}"}},
		{"a field that begins like data", "database: x\ndatab\ndata: a\n\n", []string{"a"}},
		{"empty data", "data:\n\ndata\n\n", []string{"", ""}},
		{"blank lines", "\n\n\ndata: a\n\n\n\ndata: b\n\n", []string{"a", "b"}},
		{"no blank line at the end", "data: a\n\ndata: b\n", []string{"a", "b"}},
		{"no line end at the end", "data: a\n\ndata: b", []string{"a", "b"}},
		{"byte order mark", "\ufeffdata: a\n\n", []string{"a"}},
		{"a byte order mark further in", "data: a\n\ufeffdata: b\n\n\ufeffdata: c\n\n", []string{"a"}},
		{"NUL and broken UTF-8 pass", "data: \x00\xff\n\n", []string{"\x00\xff"}},
		{"only an id", "id: 7\n\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, source := range map[string]io.Reader{
				"at once":          strings.NewReader(test.input),
				"byte by byte":     iotest.OneByteReader(strings.NewReader(test.input)),
				"with the error":   iotest.DataErrReader(strings.NewReader(test.input)),
				"half of a buffer": iotest.HalfReader(strings.NewReader(test.input)),
			} {
				got, err := all(sse.NewReader(source, 1<<20))
				if err != io.EOF || !slices.Equal(got, test.want) {
					t.Errorf("%s: %q %v, want %q", name, got, err, test.want)
				}
			}
		})
	}
}

func TestLineOf12MB(t *testing.T) {
	long := strings.Repeat("x", 12<<20)
	reader := sse.NewReader(strings.NewReader("data: "+long+"\n\ndata: b\n\n"), sse.DefaultLimit)
	for _, want := range []string{long, "b"} {
		if data, err := reader.Next(); err != nil || string(data) != want {
			t.Fatalf("%d bytes, %v; want %d", len(data), err, len(want))
		}
	}
}

func TestEventOverLimitSaysSo(t *testing.T) {
	reader := sse.NewReader(strings.NewReader("data: a\n\ndata: "+strings.Repeat("x", 3<<20)), 2<<20)
	got, err := all(reader)
	if len(got) != 1 || !errors.Is(err, sse.ErrTooLong) || !strings.Contains(err.Error(), "2 MB") {
		t.Errorf("%q %v", got, err)
	}
	if _, again := reader.Next(); !errors.Is(again, sse.ErrTooLong) {
		t.Errorf("then: %v", again)
	}
}

func TestErrorComesBehindWholeEvents(t *testing.T) {
	broken := errors.New("connection reset")
	source := io.MultiReader(strings.NewReader("data: a\n\ndata: b\ndata: ha"), iotest.ErrReader(broken))
	got, err := all(sse.NewReader(source, 1<<20))
	if !slices.Equal(got, []string{"a", "b"}) || !errors.Is(err, broken) {
		t.Errorf("%q %v", got, err)
	}
}

func TestUnendedTellsACutLine(t *testing.T) {
	for input, want := range map[string]bool{"data: {\"a\"": true, "data: a\n": false, "data: a\n\n": false} {
		reader := sse.NewReader(strings.NewReader(input), 1<<20)
		if _, err := reader.Next(); err != nil || reader.Unended() != want {
			t.Errorf("%q: %v %v", input, reader.Unended(), err)
		}
	}
}

func TestSourceWithoutProgress(t *testing.T) {
	if _, err := sse.NewReader(stuck{}, 1<<20).Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// FuzzReader compares the reader with the simplest implementation, for every division of the bytes.
func FuzzReader(f *testing.F) {
	f.Add([]byte("data: a\n\n: c\r\ndata:b\r\ndata: c\r\n\r\nevent: x\ndata"), uint8(3))
	f.Add([]byte("\ufeffdata: {\"a\":1}\n\ndata: [DONE]\n\n"), uint8(1))
	f.Add([]byte("data\n\n\n\rdata: x\n\r\n"), uint8(7))
	f.Fuzz(func(t *testing.T, input []byte, step uint8) {
		source := &stepper{rest: input, step: int(step)%64 + 1}
		got, err := all(sse.NewReader(source, 1<<20))
		if err != io.EOF {
			t.Fatal(err)
		}
		var halves scan.HalfJoiner
		want := plain(input)
		for i, event := range want {
			want[i] = string(halves.Join([]byte(event)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q in steps of %d:\n%q, want\n%q", input, source.step, got, want)
		}
	})
}

type stepper struct {
	rest []byte
	step int
}

func (s *stepper) Read(to []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(to[:min(len(to), s.step)], s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// plain is the simplest implementation of the format, for complete input.
func plain(input []byte) (events []string) {
	var lines []string
	input = bytes.TrimPrefix(input, []byte("\ufeff"))
	for line := range strings.SplitSeq(string(input)+"\n\n", "\n") {
		line = strings.TrimSuffix(line, "\r")
		name, value, _ := strings.Cut(line, ":")
		switch {
		case line == "" && lines != nil:
			events = append(events, strings.Join(lines, "\n"))
			lines = nil
		case name == "data":
			lines = append(lines, strings.TrimPrefix(value, " "))
		}
	}
	return events
}

func BenchmarkEvent(b *testing.B) {
	event := []byte("data: " + strings.Repeat("x", 250) + "\n\n")
	stream := bytes.Repeat(event, 1000)
	source := bytes.NewReader(stream)
	b.ReportAllocs()
	for b.Loop() {
		source.Reset(stream)
		reader := sse.NewReader(source, sse.DefaultLimit)
		for {
			if _, err := reader.Next(); err != nil {
				break
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/event")
}
