package text

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif"  // to read the size of pictures
	_ "image/jpeg" // to read the size of pictures
	_ "image/png"  // to read the size of pictures
	"net/http"
	"strings"
	"unicode/utf8"
)

// BOM is the byte order mark that Windows programs put at the beginning of UTF-8 text.
const BOM = "\xef\xbb\xbf"

// Foreign describes content that cannot be shown or edited as text. For text, it returns "". It
// checks the beginning of content for binary formats and encodings, and all bytes for NUL.
func Foreign(content []byte) string {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(content, []byte("\x00\x00\xfe\xff")):
		return "text in UTF-32"
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return "text in UTF-16 (little endian)"
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return "text in UTF-16 (big endian)"
	}
	nul := bytes.IndexByte(content, 0)
	kind, _, _ := strings.Cut(http.DetectContentType(content), ";")
	switch {
	case nul < 0 && kind != "application/pdf":
		return ""
	case strings.HasPrefix(kind, "image/"):
		if width, height, ok := sizeOfWebP(content); ok {
			return fmt.Sprintf("a picture (WebP, %d×%d pixels)", width, height)
		}
		if size, format, err := image.DecodeConfig(bytes.NewReader(content)); err == nil {
			return fmt.Sprintf("a picture (%s, %d×%d pixels)", strings.ToUpper(format), size.Width, size.Height)
		}
		return "a picture (" + kind + ")"
	case kind != "application/octet-stream" && !strings.HasPrefix(kind, "text/"):
		return "binary data (" + kind + ")"
	}
	return fmt.Sprintf("binary data (a NUL byte at offset %d)", nul)
}

// CountStrange counts NUL bytes, unusual control characters and bytes that are not valid UTF-8.
func CountStrange(content []byte) (count int) {
	for at := 0; at < len(content); {
		if c := content[at]; c >= ' ' && c < utf8.RuneSelf || c == '\n' { // fast path for most characters
			at++
			continue
		}
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size == 1 || r < ' ' && !strings.ContainsRune("\t\n\r\b\a\f\x1b", r) {
			count++
		}
		at += size
	}
	return count
}

// Media detects the media type of binary content from its head and tail. It returns "" for text,
// such as a list separated by NUL bytes, or a log that begins with binary data.
func Media(head, tail []byte) string {
	media, _, _ := strings.Cut(http.DetectContentType(head), ";")
	if strings.HasPrefix(media, "text/") || media == "application/octet-stream" && !(mostlyStrange(head) && mostlyStrange(tail)) {
		return ""
	}
	return media
}

func mostlyStrange(content []byte) bool {
	n := CountStrange(content)
	return n > 7 && n*10 > 3*len(content)
}

// sizeOfWebP returns the size of a WebP picture. The format has three types of headers.
func sizeOfWebP(content []byte) (width, height int, ok bool) {
	if len(content) < 30 || string(content[:4]) != "RIFF" || string(content[8:12]) != "WEBP" {
		return 0, 0, false
	}
	little := func(at, bytes int) (n int) {
		for i := range bytes {
			n |= int(content[at+i]) << (8 * i)
		}
		return n
	}
	switch string(content[12:16]) {
	case "VP8 ":
		return little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF, true
	case "VP8L":
		bits := little(21, 4)
		return bits&0x3FFF + 1, bits>>14&0x3FFF + 1, true
	case "VP8X":
		return little(24, 3) + 1, little(27, 3) + 1, true
	}
	return 0, 0, false
}

// Ending returns the line ending that most lines have: "\r\n" or "\n".
func Ending(content string) string {
	windows := strings.Count(content, "\r\n")
	if windows > strings.Count(content, "\n")-windows {
		return "\r\n"
	}
	return "\n"
}

// Unix returns content with every "\r\n" replaced by "\n".
func Unix(content string) string { return strings.ReplaceAll(content, "\r\n", "\n") }

// WithEnding converts each "\n" or "\r\n" in content to the given line ending.
func WithEnding(content, ending string) string {
	content = Unix(content)
	if ending == "\n" {
		return content
	}
	return strings.ReplaceAll(content, "\n", ending)
}

// CountLines returns the number of lines that an editor shows. A final newline does not begin
// another line.
func CountLines(content []byte) int {
	n := bytes.Count(content, []byte{'\n'})
	if len(content) > 0 && content[len(content)-1] != '\n' {
		n++
	}
	return n
}

// ASCII reports whether content is plain ASCII.
func ASCII(content string) bool {
	for i := range len(content) {
		if content[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
