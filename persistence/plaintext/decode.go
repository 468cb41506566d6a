// Package plaintext converts UTF-16 and UTF-32 text, which some editors write, to UTF-8.
package plaintext

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Decode converts UTF-16 and UTF-32 to UTF-8 and removes a byte order mark. It recognizes UTF-16
// with or without a byte order mark, but UTF-32 only with one. Other data is returned unchanged.
func Decode(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")):
		return decodeUTF32(data[4:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
		return decodeUTF32(data[4:], binary.BigEndian)
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return wide(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return wide(data[2:], binary.BigEndian)
	}
	if order := detectUTF16(data); order != nil {
		if decoded := wide(data, order); !controlled(decoded) {
			return decoded
		}
	}
	return data
}

// controlled is true if more than one in twenty characters is a control character.
func controlled(decoded []byte) bool {
	controls := 0
	for _, r := range string(decoded) {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			controls++
		}
	}
	return controls*20 > utf8.RuneCount(decoded)
}

func wide(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

func decodeUTF32(data []byte, order binary.ByteOrder) []byte {
	var decoded strings.Builder
	for ; len(data) >= 4; data = data[4:] {
		decoded.WriteRune(rune(order.Uint32(data)))
	}
	return []byte(decoded.String())
}

// detectUTF16 infers the byte order of UTF-16 text from the positions of NUL bytes. For other data,
// the result is nil.
func detectUTF16(data []byte) binary.ByteOrder {
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
