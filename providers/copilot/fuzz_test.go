package copilot

import (
	"bufio"
	"bytes"
	"testing"
)

func FuzzFrame(f *testing.F) {
	for _, bytes := range []string{
		"Content-Length: 2\r\n\r\n{}", "content-length: 2\nX: y\n\n{}Content-Length: 1\r\n\r\nx", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
		"", "\r\n\r\n", "error: no such option\n", "Content-Length: 5\r\n\r\n{}", "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", " Content-Length: 1\r\n\r\na",
	} {
		f.Add([]byte(bytes))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		from := bufio.NewReader(bytes.NewReader(sent))
		for left := len(sent); ; {
			message, err := readFrame(from)
			if err != nil {
				return
			}
			if left -= len(message); left < 0 {
				t.Fatalf("%q holds more than it has", sent)
			}
			var passed bytes.Buffer
			if err := writeFrame(&passed, message); err != nil {
				t.Fatal(err)
			}
			if again, err := readFrame(bufio.NewReader(&passed)); err != nil || !bytes.Equal(again, message) {
				t.Fatalf("%q became %q, %v", message, again, err)
			}
		}
	})
}
