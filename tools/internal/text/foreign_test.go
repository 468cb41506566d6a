package text

import (
	"strings"
	"testing"
)

// webp returns the beginning of a WebP picture: a chunk of this kind, with this header.
func webp(kind, header string) string {
	return "RIFF\x00\x00\x00\x00WEBP" + kind + header + strings.Repeat("\x00", 40)
}

// The size of each form of WebP is read; a file that only begins like one has none.
func TestTheSizeOfAWebP(t *testing.T) {
	for content, want := range map[string]string{
		webp("VP8 ", "\x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x2c\x41\x05\x40"): "a picture (WebP, 300×5 pixels)",
		webp("VP8L", "\x00\x00\x00\x00\x2f\x2b\xc1\x00\x00"):                     "a picture (WebP, 300×4 pixels)",
		webp("VP8X", "\x00\x00\x00\x00\x00\x00\x00\x00\x2b\x01\x00\x02\x00\x01"): "a picture (WebP, 300×65539 pixels)",
		webp("VP9 ", "\x00"):               "a picture (image/webp)",
		webp("VP8X", "")[:29]:              "a picture (image/webp)",
		webp("VP8X", "")[:30]:              "a picture (WebP, 1×1 pixels)",
		"RIFF\x00\x00\x00\x00AVI \x00\x00": "binary data (video/avi)",
	} {
		if got := Foreign([]byte(content)); got != want {
			t.Errorf("%.24q: %s, want %s", content, got, want)
		}
	}
}

func TestBytesThatNoTextHas(t *testing.T) {
	for content, want := range map[string]int{
		"": 0, "plain ~\n": 0, "\t\r\b\a\f\x1b[0m": 0, "\x00": 1, "\x01\x1f\x0e": 3, "\xff\xfe": 2, "ä🦊\ufffd": 0, "a\xc3": 1, "\x7f": 0,
	} {
		if got := CountStrange([]byte(content)); got != want {
			t.Errorf("%q has %d", content, got)
		}
	}
	strange := func(odd, all int) []byte {
		return []byte(strings.Repeat("\x01", odd) + strings.Repeat("x", all-odd))
	}
	for _, one := range []struct {
		odd, all int
		want     bool
	}{{7, 7, false}, {8, 8, true}, {8, 26, true}, {8, 27, false}, {9, 30, false}, {10, 33, true}, {0, 0, false}} {
		if got := mostlyStrange(strange(one.odd, one.all)); got != one.want {
			t.Errorf("%d of %d: %v", one.odd, one.all, got)
		}
	}
	for _, one := range []struct {
		head, tail []byte
		want       string
	}{
		{strange(9, 9), strange(9, 9), "application/octet-stream"},
		{strange(9, 9), strange(0, 99), ""},
		{strange(0, 9), strange(9, 9), ""},
		{[]byte("\x89PNG\r\n\x1a\n"), strange(0, 9), "image/png"},
		{[]byte("<html>"), strange(9, 9), ""},
		{[]byte("a\x00b\x00"), nil, ""},
	} {
		if got := Media(one.head, one.tail); got != one.want {
			t.Errorf("%.9q … %.9q: %q", one.head, one.tail, got)
		}
	}
}

func TestLinesAndLetters(t *testing.T) {
	for content, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n\n": 2} {
		if got := CountLines([]byte(content)); got != want {
			t.Errorf("%q has %d lines", content, got)
		}
	}
	for content, want := range map[string]bool{"": true, "a\x7f": true, "a\u0080": false, "\xff": false} {
		if ASCII(content) != want {
			t.Errorf("%q is ASCII: %v", content, !want)
		}
	}
}
