package textfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"marvin/tools/internal/text"
)

// ErrBinary means that bytes are no text.
var ErrBinary = errors.New("not text")

// Decode is text from outside as UTF-8: it reads UTF-16 with and without a byte order mark and
// UTF-32 with one, drops the mark, and takes other bytes for Windows-1252. The error wraps [ErrBinary] and says
// what the bytes are.
func Decode(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")):
		return widest(data[4:], binary.LittleEndian), nil
	case bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
		return widest(data[4:], binary.BigEndian), nil
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return wide(data[2:], binary.LittleEndian), nil
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return wide(data[2:], binary.BigEndian), nil
	}
	if order := unmarked(data); order != nil {
		if decoded := wide(data, order); text.Foreign([]byte(decoded)) == "" && !controlled(decoded) {
			return decoded, nil
		}
	}
	if what := text.Foreign(data); what != "" && (bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data)) {
		return "", fmt.Errorf("%w: %s", ErrBinary, what)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", fmt.Errorf("%w: it has NUL bytes", ErrBinary)
	}
	if utf8.Valid(data) {
		return string(data), nil
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrBinary, err)
	}
	return string(decoded), nil
}

// controlled reports whether one in twenty characters is a control character.
func controlled(decoded string) bool {
	controls := 0
	for _, r := range decoded {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			controls++
		}
	}
	return controls*20 > utf8.RuneCountInString(decoded)
}

func wide(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return string(utf16.Decode(units))
}

// widest is UTF-32 as UTF-8.
func widest(data []byte, order binary.ByteOrder) string {
	var decoded strings.Builder
	for ; len(data) >= 4; data = data[4:] {
		decoded.WriteRune(rune(order.Uint32(data)))
	}
	return decoded.String()
}

// unmarked detects UTF-16 without a byte order mark by the position of NUL bytes; nil if it is not
// UTF-16.
func unmarked(data []byte) binary.ByteOrder {
	data = data[:min(len(data), 4096)&^1]
	if len(data) < 4 {
		return nil
	}
	var zeros [2]int
	for i, char := range data {
		if char == 0 {
			zeros[i&1]++
		}
	}
	switch half := len(data) / 2; {
	case zeros[1]*10 >= half*4 && zeros[0]*20 <= half:
		return binary.LittleEndian
	case zeros[0]*10 >= half*4 && zeros[1]*20 <= half:
		return binary.BigEndian
	}
	return nil
}
