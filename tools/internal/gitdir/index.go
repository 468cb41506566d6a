package gitdir

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
)

// Entry is a file in the index. Git recorded the size and mtime at its last comparison of the file
// with the stored content.
type Entry struct {
	Name    string // slash-separated path, relative to the top of the working tree
	Module  bool   // a submodule, not a file
	Size    uint32 // bytes, modulo 2^32
	Changed int64  // mtime in nanoseconds; -1 if git does not have the content yet
}

// MostIndex is the maximum number of bytes that are read from an index. 64 MiB is enough for half a
// million files.
const MostIndex = 64 << 20

// Index returns the entries of a git index, including those of its shared index (see
// gitformat-index). If the index at path is unreadable, Index returns nil.
func Index(path string) []Entry {
	entries, _ := IndexWithShared(path)
	return entries
}

// IndexWithShared returns the same entries as [Index], and reports whether the file at path refers
// to a shared index.
func IndexWithShared(path string) (entries []Entry, isShared bool) {
	entries, shared := parseIndex(readIndex(path))
	if shared != "" {
		more, _ := parseIndex(readIndex(filepath.Join(filepath.Dir(path), "sharedindex."+shared)))
		entries = append(more, entries...)
	}
	return entries, shared != ""
}

func readIndex(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // reading a pipe would block
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, MostIndex))
	return text
}

// parseIndex returns the entries of an index and the hash of its shared index. Without a shared
// index, the hash is "".
func parseIndex(text []byte) (entries []Entry, shared string) {
	if len(text) < 12 || string(text[:4]) != "DIRC" {
		return nil, ""
	}
	for _, hash := range []int{20, 32} { // SHA-1 or SHA-256
		if entries, rest, ok := entriesOf(text, hash); ok {
			return entries, findShared(rest, hash)
		}
	}
	return nil, ""
}

func entriesOf(text []byte, hash int) (entries []Entry, rest []byte, ok bool) {
	version, count := binary.BigEndian.Uint32(text[4:]), binary.BigEndian.Uint32(text[8:])
	at, last := 12, ""
	for range count {
		fixed := 40 + hash + 2
		if at+fixed > len(text) {
			return nil, nil, false
		}
		number := func(offset int) uint32 { return binary.BigEndian.Uint32(text[at+offset:]) }
		kind, flags := number(24)>>12, binary.BigEndian.Uint16(text[at+fixed-2:])
		if kind != 8 && kind != 10 && kind != 14 && kind != 4 {
			return nil, nil, false
		}
		entry := Entry{Module: kind == 14, Size: number(36), Changed: int64(number(8))*1e9 + int64(number(12))}
		if version >= 3 && flags&0x4000 != 0 && at+fixed+2 <= len(text) {
			if binary.BigEndian.Uint16(text[at+fixed:])&0x2000 != 0 {
				entry.Changed = -1 // after git add --intent-to-add, git lacks the file's content
			}
			fixed += 2
		}
		begin := min(at+fixed, len(text))
		if version == 4 {
			strip, n := offsetIn(text[begin:])
			if n == 0 || strip > len(last) {
				return nil, nil, false
			}
			begin, last = begin+n, last[:len(last)-strip]
		}
		end := bytes.IndexByte(text[begin:], 0)
		if end < 0 {
			return nil, nil, false
		}
		entry.Name = string(text[begin : begin+end])
		if version == 4 {
			last += entry.Name
			entry.Name, at = last, begin+end+1
		} else {
			at += (begin - at + end + 8) &^ 7
		}
		entries = append(entries, entry)
	}
	if at > len(text)-hash {
		return nil, nil, false
	}
	return entries, text[at:], true
}

// offsetIn decodes a number in git's offset encoding. The encoded number has n bytes; if it is
// invalid, n is 0.
func offsetIn(text []byte) (value, n int) {
	for n < len(text) && n < 5 {
		letter := text[n]
		value = value<<7 | int(letter&0x7f)
		n++
		if letter&0x80 == 0 {
			return value, n
		}
		value++
	}
	return 0, 0
}

// findShared returns the hash in the "link" extension, or "" if there is no such extension.
func findShared(rest []byte, hash int) string {
	for len(rest) >= 8+hash {
		size := int(binary.BigEndian.Uint32(rest[4:]))
		if size > len(rest)-8 {
			return ""
		}
		if string(rest[:4]) == "link" && size >= hash {
			return hex.EncodeToString(rest[8 : 8+hash])
		}
		rest = rest[8+size:]
	}
	return ""
}
