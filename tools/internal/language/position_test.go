package language

import (
	"errors"
	"strings"
	"testing"
)

func TestNamesAreFoundWithoutColumns(t *testing.T) {
	of := newText("one := two(one, 🦊two)\r\nπ := onetwo + one_\n\n")
	for _, one := range []struct {
		line int
		name string
		want int // UTF-16 units; -1 for an error
	}{
		{1, "one", 0},
		{1, "one#2", 11},
		{1, "two", 7},
		{1, "two#2", 18},
		{1, "one#3", -1},
		{1, "three", -1},
		{2, "one", -1},
		{2, "π", 0},
		{2, "onetwo", 5},
		{2, "one_", 14},
		{3, "one", -1},
		{0, "one", -1},
		{99, "one", -1},
		{1, "", -1},
	} {
		at, err := of.find(one.line, one.name)
		if one.want < 0 != errors.Is(err, ErrNoPlace) || err == nil && (at.Line != one.line-1 || at.Character != one.want) {
			t.Errorf("%s in line %d: %+v, %v", one.name, one.line, at, err)
		}
		if err == nil && !strings.HasPrefix(of.whole[of.offset(at):], strings.TrimSuffix(one.name, "#2")) {
			t.Errorf("%s in line %d is not at %+v", one.name, one.line, at)
		}
	}
	for _, at := range []position{{-1, -1}, {0, 999}, {99, 99}, {1, -5}} {
		if offset := of.offset(at); offset < 0 || offset > len(of.whole) {
			t.Errorf("%+v is at %d", at, offset)
		}
	}
}

func TestEditsAreAppliedToTheContentBefore(t *testing.T) {
	edit := func(line, from, to int, text string) textEdit {
		return textEdit{span{position{line, from}, position{line, to}}, text}
	}
	for _, one := range []struct {
		edits []textEdit
		want  string
	}{
		{nil, "a🦊b\nc\n"},
		{[]textEdit{edit(1, 0, 1, "C"), edit(0, 3, 4, "B")}, "a🦊B\nC\n"},
		{[]textEdit{edit(0, 1, 1, "1"), edit(0, 1, 1, "2")}, "a12🦊b\nc\n"},
		{[]textEdit{edit(0, 0, 3, "x"), edit(0, 1, 4, "y")}, ""},
		{[]textEdit{edit(0, 0, 1, "x"), edit(0, 1, 3, "y")}, "xyb\nc\n"},
		{[]textEdit{edit(0, 3, 1, "x")}, ""},
	} {
		got, err := applied("a🦊b\nc\n", one.edits)
		if got != one.want || (err != nil) != (one.want == "") {
			t.Errorf("%+v: %q, %v", one.edits, got, err)
		}
	}
}

func TestAddressesLeadToFilesOnly(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///a/b%20c.go": "/a/b c.go", "file:///a/../b": "/b", "https://example.org/x": "", "file://host/x": "", "file://localhost/x": "/x", "untitled:x": "", "%": "", "file:///a%00b": "",
	} {
		if got := pathOf(uri); got != want {
			t.Errorf("%s is %q", uri, got)
		}
	}
	if got := pathOf(uriOf("/a b/ü#?.go")); got != "/a b/ü#?.go" {
		t.Errorf("there and back is %q", got)
	}
}

// Positions outside the content are moved inside, and columns are in UTF-16 units.
func TestPlacesOfAContent(t *testing.T) {
	of := newText("a🦊b\r\n\nlast")
	for n, want := range map[int]string{-1: "", 0: "a🦊b", 1: "", 2: "last", 3: "", 4: ""} {
		if got := of.line(n); got != want {
			t.Errorf("line %d is %q", n, got)
		}
	}
	for _, one := range []struct {
		at             position
		offset, column int
	}{
		{position{-1, 5}, 0, 1},
		{position{0, -1}, 0, 1},
		{position{0, 0}, 0, 1},
		{position{0, 1}, 1, 2},
		{position{0, 3}, 5, 3},
		{position{0, 4}, 6, 4},
		{position{0, 9}, 6, 4},
		{position{1, 0}, 8, 1},
		{position{1, 3}, 8, 1},
		{position{2, 2}, 11, 3},
		{position{2, 4}, 13, 5},
		{position{3, 0}, 13, 1},
		{position{9, 9}, 13, 1},
	} {
		if offset, column := of.offset(one.at), of.column(one.at); offset != one.offset || column != one.column {
			t.Errorf("%+v is byte %d, column %d; want %d, %d", one.at, offset, column, one.offset, one.column)
		}
	}
	for r, want := range map[rune]int{'a': 1, 'ß': 1, '\uffff': 1, '\U00010000': 2, '🦊': 2} {
		if got := unitsOf(r); got != want {
			t.Errorf("%U has %d units", r, got)
		}
	}
}

func TestMissingPlaceErrorNamesLine(t *testing.T) {
	of := newText("one := two\n  two x\n" + strings.Repeat("y", 119) + "ü\n")
	for _, one := range []struct {
		line int
		name string
		want string
	}{
		{0, "one", "there is no such place: the file has 4 lines, but no line 0"},
		{5, "one", "there is no such place: the file has 4 lines, but no line 5"},
		{4, "one", `there is no such place: line 4 is "" and does not contain "one"`},
		{2, "one", `there is no such place: line 2 is "two x" and does not contain "one"`},
		{2, "two#2", `there is no such place: line 2 is "two x" and does not contain "two" 2 times`},
		{2, "two#0", `there is no such place: line 2 is "two x" and does not contain "two#0"`},
		{2, "two#x", `there is no such place: line 2 is "two x" and does not contain "two#x"`},
		{2, "#2", `there is no such place: line 2 is "two x" and does not contain "#2"`},
		{3, "z", `there is no such place: line 3 is "` + strings.Repeat("y", 119) + `…" and does not contain "z"`},
	} {
		if at, err := of.find(one.line, one.name); err == nil || err.Error() != one.want || at != (position{}) {
			t.Errorf("%s in line %d: %+v, %v", one.name, one.line, at, err)
		}
	}
	if at, err := newText("#2 #2").find(1, "#2"); err != nil || at.Character != 0 {
		t.Errorf("a name that is a number is at %+v, %v", at, err)
	}
}

func TestANameIsAWholeWord(t *testing.T) {
	for _, one := range []struct {
		line, name string
		want       bool
	}{
		{"ab", "ab", true},
		{"ab c", "ab", true},
		{"c ab", "ab", true},
		{"cab", "ab", false},
		{"abc", "ab", false},
		{"a_b", "a", false},
		{"_a", "a", false},
		{"a1", "a", false},
		{"1a", "a", false},
		{"äb", "b", false},
		{"bä", "b", false},
		{"x.ab.y", "ab", true},
		{"a+b", "+", true},
		{"a+", "+", true},
		{"+b", "+", true},
		{"ab", "a", false},
		{"x&&y", "&&", true},
		{"&&a", "&&", true},
	} {
		from := strings.Index(one.line, one.name)
		if got := wholeWord(one.line, from, from+len(one.name)); got != one.want {
			t.Errorf("%q in %q: %v", one.name, one.line, got)
		}
	}
}

func TestLongWordsAreCutBetweenCharacters(t *testing.T) {
	for _, one := range []struct {
		text string
		most int
		want string
	}{{"", 0, ""}, {"abc", 3, "abc"}, {"abc", 4, "abc"}, {"abcd", 3, "abc…"}, {"aß", 2, "a…"}, {"aß", 3, "aß"}, {"🦊🦊", 7, "🦊…"}, {"a", 0, "…"}} {
		if got := shorten(one.text, one.most); got != one.want {
			t.Errorf("%q to %d bytes is %q", one.text, one.most, got)
		}
	}
	if got := oneLine("  a\n\tb  c ", 3); got != "a b…" {
		t.Errorf("in one line: %q", got)
	}
}
