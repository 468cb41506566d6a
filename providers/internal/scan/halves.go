package scan

import (
	"bytes"
	"unicode/utf8"
)

// HalfJoiner repairs characters that a server split between two events. For example, one string
// ends with \ud83d and the next begins with \ude00, or the bytes of a character are split. Each
// half alone would become U+FFFD.
type HalfJoiner struct {
	first []byte // the raw bytes of a split character's first half
}

// Join removes the first half of a split character from data, and inserts that half into the next
// event. If no character is split, Join returns data unchanged.
func (h *HalfJoiner) Join(data []byte) []byte {
	if h.first == nil && !bytes.Contains(data, []byte(`\ud`)) && !bytes.Contains(data, []byte(`\uD`)) && utf8.Valid(data) {
		return data
	}
	if at := h.rest(data); at >= 0 {
		data = bytes.Join([][]byte{data[:at], h.first, data[at:]}, nil)
		h.first = nil
	}
	if from, to := beginning(data); from >= 0 {
		h.first = bytes.Clone(data[from:to])
		data = append(bytes.Clone(data[:from]), data[to:]...)
	}
	return data
}

// rest returns the index of the second half of the split character, or -1.
func (h *HalfJoiner) rest(data []byte) int {
	if h.first == nil {
		return -1
	}
	for at := 0; ; at++ {
		next := bytes.IndexByte(data[at:], '"')
		if next < 0 {
			return -1
		}
		at += next
		after := data[at+1:]
		if h.first[0] == '\\' && half(after, 'c', 'f') || h.first[0] != '\\' && len(after) > 0 && !utf8.RuneStart(after[0]) {
			return at + 1
		}
	}
}

// beginning returns the bounds of a partial character at the end of a JSON string, or -1, -1. The
// partial character is an escaped surrogate or incomplete UTF-8.
func beginning(data []byte) (from, to int) {
	for at := 1; at < len(data); at++ {
		next := bytes.IndexByte(data[at:], '"')
		if next < 0 {
			break
		}
		at += next
		if from := at - 6; from >= 0 && half(data[from:], '8', 'b') && !escapedAt(data, from) {
			return from, at
		}
		for from := at - 1; from >= 0 && from >= at-3; from-- { // bytes of UTF-8
			if utf8.RuneStart(data[from]) {
				if data[from] >= utf8.RuneSelf && !utf8.FullRune(data[from:at]) {
					return from, at
				}
				break
			}
		}
	}
	return -1, -1
}

// half returns true if data begins with a surrogate escape such as \ud83d. The escape's second hex
// digit (here 8) must be between low and high.
func half(data []byte, low, high byte) bool {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' || data[2]|0x20 != 'd' {
		return false
	}
	digit := data[3]
	if digit >= 'A' {
		digit |= 0x20
	}
	return low <= digit && digit <= high
}

// escapedAt reports whether the backslash at data[at] is itself escaped.
func escapedAt(data []byte, at int) bool {
	count := 0
	for at > count && data[at-1-count] == '\\' {
		count++
	}
	return count%2 == 1
}
