package jsonlines_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"marvin/messages/jsonlines"
)

// Every line that is not blank is returned once, in order, however the reads divide the input.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"a\":1}\r\n\n  \nhalf"))
	f.Add([]byte("\ufeff{}\n\x00\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []string
		first := true
		for line := range bytes.Lines(data) {
			text := strings.TrimSpace(string(line))
			if first { // it may begin with a byte order mark
				text, first = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")), false
			}
			if text != "" {
				want = append(want, text)
			}
		}
		reader := jsonlines.NewReader(iotest.HalfReader(bytes.NewReader(data)))
		for i := 0; ; i++ {
			line, err := reader.Next()
			if err != nil {
				if i != len(want) {
					t.Errorf("%q gave %d lines instead of %q", data, i, want)
				}
				return
			}
			if i >= len(want) || strings.TrimSpace(string(line.Data)) != want[i] {
				t.Fatalf("%q: line %d is %q", data, i, line.Data)
			}
		}
	})
}
