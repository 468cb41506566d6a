package language

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows path such as C:/x
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// pathOf returns the path in a file URI, or "" for any other URI. Servers spell URIs differently
// (C%3A for C:), so files are compared by path.
func pathOf(uri string) string {
	at, err := url.Parse(uri)
	if err != nil || at.Scheme != "file" || at.Host != "" && at.Host != "localhost" || strings.ContainsRune(at.Path, 0) {
		return ""
	}
	path := at.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.Clean(filepath.FromSlash(path))
}

// text is the content of a file, with an index of its lines.
type text struct {
	whole  string
	starts []int
}

func newText(content string) text {
	starts := []int{0}
	for i := range len(content) {
		if content[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return text{content, starts}
}

// line returns line n, counted from 0, without its line ending. After the last line it returns "".
func (t text) line(n int) string {
	if n < 0 || n >= len(t.starts) {
		return ""
	}
	end := len(t.whole)
	if n+1 < len(t.starts) {
		end = t.starts[n+1] - 1
	}
	return strings.TrimSuffix(t.whole[t.starts[n]:end], "\r")
}

// offset returns the byte offset of a protocol position, clamped to the content.
func (t text) offset(at position) int {
	switch {
	case at.Line < 0:
		return 0
	case at.Line >= len(t.starts):
		return len(t.whole)
	}
	line := t.line(at.Line)
	return t.starts[at.Line] + bytesOf(line, at.Character)
}

// bytesOf converts a UTF-16 offset in a line to a byte offset.
func bytesOf(line string, units int) int {
	for i, r := range line {
		if units <= 0 {
			return i
		}
		units -= unitsOf(r)
	}
	return len(line)
}

func unitsOf(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// units returns the number of UTF-16 units in line[:end].
func units(line string, end int) (n int) {
	for _, r := range line[:end] {
		n += unitsOf(r)
	}
	return n
}

// column returns the 1-based column of a position, counted in characters.
func (t text) column(at position) int {
	line := t.line(at.Line)
	return utf8.RuneCountInString(line[:bytesOf(line, at.Character)]) + 1
}

// ErrNoPlace means that a line does not exist or does not contain the name.
var ErrNoPlace = errors.New("there is no such place")

// find returns the position of a name in a line. Lines are numbered from 1, and a suffix such as #2
// selects the second occurrence of the name.
func (t text) find(number int, name string) (position, error) {
	if number < 1 || number > len(t.starts) {
		return position{}, fmt.Errorf("%w: the file has %d lines, but no line %d", ErrNoPlace, len(t.starts), number)
	}
	wanted := 1
	if base, count, found := strings.Cut(name, "#"); found && base != "" {
		if n, err := strconv.Atoi(count); err == nil && n > 0 {
			name, wanted = base, n
		}
	}
	line, from := t.line(number-1), 0
	for found := 0; name != ""; {
		at := strings.Index(line[from:], name)
		if at < 0 {
			break
		}
		at += from
		from = at + len(name)
		if !wholeWord(line, at, from) {
			continue
		}
		if found++; found == wanted {
			return position{Line: number - 1, Character: units(line, at)}, nil
		}
	}
	return position{}, fmt.Errorf("%w: line %d is %q and does not contain %q%s", ErrNoPlace, number, shorten(strings.TrimSpace(line), 120), name, map[bool]string{true: fmt.Sprintf(" %d times", wanted)}[wanted > 1])
}

// wholeWord reports whether line[from:to] is not part of a longer name.
func wholeWord(line string, from, to int) bool {
	letter := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	first, _ := utf8.DecodeRuneInString(line[from:])
	last, _ := utf8.DecodeLastRuneInString(line[:to])
	before, _ := utf8.DecodeLastRuneInString(line[:from])
	after, _ := utf8.DecodeRuneInString(line[to:])
	return !(from > 0 && letter(first) && letter(before)) && !(to < len(line) && letter(last) && letter(after))
}

func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
