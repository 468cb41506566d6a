package patch

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"marvin/tools/internal/text"
)

func replace(t *testing.T, content, old, new string) string {
	t.Helper()
	result, err := Replace([]byte(content), old, new)
	if err != nil {
		t.Fatalf("replace %q: %v", old, err)
	}
	return string(result.Content)
}

// Each row is a file, an edit as a model writes it, and the resulting file.
func TestEditChangesOnlyItsBytes(t *testing.T) {
	for name, row := range map[string]struct{ file, old, new, want string }{
		"LF":                       {"a\nb\nc\n", "b", "x", "a\nx\nc\n"},
		"CRLF, one line":           {"a\r\nb\r\nc\r\n", "b", "x", "a\r\nx\r\nc\r\n"},
		"CRLF, several lines":      {"a\r\nb\r\nc\r\n", "a\nb\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\nc\r\n"},
		"CRLF, never doubled":      {"a\r\nb\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\n"},
		"LF, CRLF written":         {"a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"},
		"mixed, kept outside":      {"a\r\nb\nc\r\n", "b\nc", "b\nd", "a\r\nb\nd\r\n"},
		"mixed, common lines kept": {"a\nb\r\nc\nd\n", "a\nb\nc", "a\nB\nc", "a\nB\r\nc\nd\n"},
		"byte order mark":          {"\xef\xbb\xbffirst\nsecond\n", "first\n", "1\n", "\xef\xbb\xbf1\nsecond\n"},
		"mark, quoted":             {"\xef\xbb\xbffirst\n", "\ufefffirst", "1", "\xef\xbb\xbf1\n"},
		"no final newline":         {"a\nb", "b", "c", "a\nc"},
		"Latin-1 around":           {"caf\xe9 = 1\nna\xefve = 2\n", " = 2", " = 3", "caf\xe9 = 1\nna\xefve = 3\n"},
		"GBK line above":           {"\xc4\xe3\xba\xc3\nx = 1\n", "x = 1", "x = 2", "\xc4\xe3\xba\xc3\nx = 2\n"},
		"lone CR":                  {"a\rb\nc\n", "c", "d", "a\rb\nd\n"},
		"CR CR LF":                 {"a\r\r\nb\r\n", "b", "c", "a\r\r\nc\r\n"},
		"literal":                  {"price\n", "price", `$1 \0 ${x} &`, `$1 \0 ${x} &` + "\n"},
		"delete":                   {"a\nb\nc\n", "b\n", "", "a\nc\n"},
		"delete, CRLF":             {"a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n"},
		"a carriage return alone":  {"a\r\nb\r", "b\r", "c", "a\r\nc"},
		"begins with newline":      {"a\r\nb\r\n", "\nb", "\nc", "a\r\nc\r\n"},
		"utf-8":                    {"näh\n日本\n", "日本", "日光", "näh\n日光\n"},
	} {
		if got := replace(t, row.file, row.old, row.new); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

func TestReplaceRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		file, old, new string
		err            error
		says           string
	}{
		"several places":          {"x\ny\nx\nz\nx\n", "x", "q", ErrAmbiguous, "lines 1, 3 and 5"},
		"overlapping places":      {"aaa", "aa", "b", ErrAmbiguous, "line"},
		"the same with both ends": {"a\nb\na\r\nb\r\n", "a\nb", "q", ErrAmbiguous, "lines 1 and 3"},
		"empty":                   {"a", "", "b", ErrFormat, "empty"},
		"no change":               {"a\n", "a", "a", ErrFormat, "same"},
		"only line endings":       {"a\nb", "a\nb", "a\r\nb", ErrFormat, "line endings are always kept"},
		"mixing encodings":        {"caf\xe9\nx\n", "x", "né", ErrEncoding, "two encodings"},
		"half a GBK character":    {"\x81A = 1\n", "A = 1", "A = 2", ErrEncoding, "the first half of a character"},
		"already done":            {"one two three\n", "one three", "one two three", ErrNoMatch, "already at line 1"},
		"escaped twice":           {"a\nb\n", `a\nb`, "c", ErrNoMatch, "escaped once too often"},
		"with line numbers":       {"func a()\nfunc b()\n", "1. func a()\n2. func b()", "c", ErrNoMatch, "Leave out the line numbers"},
		"case":                    {"Hello World\n", "hello world", "q", ErrNoMatch, "only case"},
		"nearly":                  {"first\nfunc compute(total int) error {\nlast\n", "func compute(total int64) error {", "q", ErrNoMatch, "2. func compute(total int) error {"},
		"nothing like it":         {"first\n", "zzzzqqqq", "q", ErrNoMatch, "No line is similar"},
	} {
		_, err := Replace([]byte(row.file), row.old, row.new)
		if !errors.Is(err, row.err) || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v; want %v with %q", name, err, row.err, row.says)
		}
	}
}

func TestLineOfAnEdit(t *testing.T) {
	result, err := Replace([]byte("a\r\nb\r\nc\r\n"), "b\nc", "b\nd")
	if err != nil || result.Line != 3 {
		t.Errorf("line %d, %v; the first changed line is 3", result.Line, err)
	}
}

func TestAppendKeepsEndingsAndEncoding(t *testing.T) {
	for _, row := range [][3]string{
		{"a\n", "b\n", "a\nb\n"},
		{"a\r\nb\r\n", "c\nd", "a\r\nb\r\nc\r\nd"},
		{"", "a\r\n", "a\r\n"},
		{"\xe9\n", "x\n", "\xe9\nx\n"},
	} {
		if got, err := Append([]byte(row[0]), row[1]); string(got) != row[2] {
			t.Errorf("%q + %q = %q, %v", row[0], row[1], got, err)
		}
	}
	if _, err := Append([]byte("\xe9"), "é"); !errors.Is(err, ErrEncoding) {
		t.Errorf("%v", err)
	}
}

// FuzzReplace checks on any file that an edit keeps the bytes before and after it, and that only
// the new text is between them, apart from its line endings.
func FuzzReplace(f *testing.F) {
	for _, around := range [][2]string{
		{"a\n", "\nc"},
		{"a\r\n", "\r\nc\r\n"},
		{"\xef\xbb\xbfa\n", "\r\n"},
		{"x\xe9 ", " y\n"},
		{"\r\r\n\n\r ", ""},
		{"", "日本\r\n"},
		{"\x81 ", "\x81"},
	} {
		f.Add([]byte(around[0]), []byte(around[1]), "b", "x\ny", true)
		f.Add([]byte(around[0]), []byte(around[1]), "one\ntwo\nthree", "one\n2\n", false)
	}
	f.Fuzz(func(t *testing.T, before, behind []byte, old, new string, windows bool) {
		if bytes.HasSuffix(before, []byte("\r")) || strings.HasSuffix(old, "\r") || strings.ContainsRune(old, '\ufeff') {
			t.Skip("the edit would join a line ending, or be joined by one")
		}
		there := text.Unix(old)
		if windows {
			there = text.WithEnding(old, "\r\n")
		}
		file := slices.Concat(before, []byte(there), behind)
		result, err := Replace(file, old, new)
		if err != nil {
			return
		}
		middle, ok := bytes.CutPrefix(result.Content, before)
		if !ok {
			t.Fatalf("what stands before changed: %q → %q", file, result.Content)
		}
		if middle, ok = bytes.CutSuffix(middle, behind); !ok {
			t.Fatalf("what stands after it changed: %q → %q", file, result.Content)
		}
		if text.Unix(string(middle)) != text.Unix(text.Unix(new)) && !strings.Contains(text.Unix(new), "\r") {
			t.Fatalf("%q instead of %q in %q: %q", new, old, file, middle)
		}
	})
}
