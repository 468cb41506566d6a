package text

import (
	"bytes"
	"image"
	"image/jpeg"
	"strings"
	"testing"
)

func TestForeign(t *testing.T) {
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 12, 8)), nil); err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		"": "", "plain\n": "", "\xef\xbb\xbfmarked": "", "caf\xe9": "", "\xc4\xe3\xba\xc3": "", "<html>": "", "{}": "",
		"\xff\xfeh\x00":              "text in UTF-16 (little endian)",
		"\xfe\xff\x00h":              "text in UTF-16 (big endian)",
		"\xff\xfe\x00\x00h\x00":      "text in UTF-32",
		"h\x00i\x00":                 "binary data (a NUL byte at offset 1)",
		"%PDF-1.7\n":                 "binary data (application/pdf)",
		"\x1f\x8b\x08\x00\x00":       "binary data (application/x-gzip)",
		picture.String():             "a picture (JPEG, 12×8 pixels)",
		strings.Repeat("x", 9999):    "",
		"GIF89a is how a GIF begins": "",
	} {
		if got := Foreign([]byte(content)); got != want {
			t.Errorf("%.20q: %q, want %q", content, got, want)
		}
	}
}

func TestEndings(t *testing.T) {
	for content, want := range map[string]string{"": "\n", "a\n": "\n", "a\r\n": "\r\n", "a\r\nb\n": "\n", "a\r\nb\r\nc\n": "\r\n", "a\rb": "\n"} {
		if got := Ending(content); got != want {
			t.Errorf("%q: %q", content, got)
		}
	}
	for _, row := range [][3]string{{"a\nb\r\n", "\r\n", "a\r\nb\r\n"}, {"a\r\nb\n", "\n", "a\nb\n"}, {"a\r\n", "\r\n", "a\r\n"}} {
		if got := WithEnding(row[0], row[1]); got != row[2] {
			t.Errorf("%q with %q: %q", row[0], row[1], got)
		}
	}
}
