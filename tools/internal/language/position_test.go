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
	} {
		got, err := applied("a🦊b\nc\n", one.edits)
		if got != one.want || (err != nil) != (one.want == "") {
			t.Errorf("%+v: %q, %v", one.edits, got, err)
		}
	}
}

func TestAddressesLeadToFilesOnly(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///a/b%20c.go": "/a/b c.go", "file:///a/../b": "/b", "https://example.org/x": "", "file://host/x": "", "untitled:x": "", "%": "", "file:///a%00b": "",
	} {
		if got := pathOf(uri); got != want {
			t.Errorf("%s is %q", uri, got)
		}
	}
	if got := pathOf(uriOf("/a b/ü#?.go")); got != "/a b/ü#?.go" {
		t.Errorf("there and back is %q", got)
	}
}
