package gitdir

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
)

// Entry is a file of the index: what git noted of it when it was last the same as the object
// that git has of it.
type Entry struct {
	Name    string // below the top of the working tree, with slashes
	Module  bool   // it is a repository of its own, and not a file
	Size    uint32 // bytes, modulo 2^32
	Changed int64  // its mtime, in nanoseconds
}

// mostIndex bounds what is read of an index: 64 MiB are half a million files.
const mostIndex = 64 << 20

// Index reads a git index and the shared index it builds on: see gitformat-index. An unreadable one
// is empty.
func Index(path string) []Entry {
	entries, shared := parseIndex(readIndex(path))
	if shared != "" {
		more, _ := parseIndex(readIndex(filepath.Join(filepath.Dir(path), "sharedindex."+shared)))
		entries = append(more, entries...)
	}
	return entries
}

func readIndex(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe would be waited for
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, mostIndex))
	return text
}

// parseIndex also returns the name of the index that this one builds on, if it does.
func parseIndex(text []byte) (entries []Entry, shared string) {
	if len(text) < 12 || string(text[:4]) != "DIRC" {
		return nil, ""
	}
	for _, hash := range []int{20, 32} { // of SHA-1, or of SHA-256
		if entries, rest, ok := entriesOf(text, hash); ok {
			return entries, sharedIn(rest, hash)
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
				entry.Changed = -1 // it is to be added: git does not have its content yet
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

// offsetIn reads a number as git writes offsets; n is how many bytes it has.
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

// sharedIn is the name of the index that this one builds on, among the extensions.
func sharedIn(rest []byte, hash int) string {
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
