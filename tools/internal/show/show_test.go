package show

import (
	"strings"
	"testing"
)

func TestTextFromOutsideStaysInItsPlace(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Line(" two\n lines\tand \u202eevil", 99), "two lines and ‹U+202E›evil"},
		{Line("twenty characters of text", 20), "twenty characters of…"},
		{Line("абвгд", 5), "абвгд"},
		{Line("абвгде", 5), "абвгд…"},
		{Text("\n a\r\n\n\n\nb \n", 99), "a\n\nb"},
		{Text("\x1b[31mred", 99), "‹U+001B›[31mred"},
		{Text("a\n \n\t\nb\n\nc", 99), "a\n\nb\n\nc"},
		{Text("", 9), ""},
		{Text("a \t\nb", 9), "a\nb"},
		{Line("abcd efgh", 4), "abcd…"},
		{Line("abcd,\u00a0efgh", 5), "abcd…"},
		{Line("ab cd", 4), "ab…"},
		{Line("abcde", 4), "abcd…"},
		{Line(" abcde", 9), "abcde"},
		{Line("a "+strings.Repeat("x", 30), 20), "a…"},
		{Line("a "+strings.Repeat("x", 30), 21), "a " + strings.Repeat("x", 19) + "…"},
		{Join(", ", "a", "", "b"), "a, b"},
		{Join(", "), ""},
		{Label("a", "b"), "a: b"},
		{Label("a", ""), ""},
		{Block([]string{"", "a", "", "b"}, "  "), "a\n  b"},
		{FirstNames([]string{"a", "b\nc", "d"}, 2), "a, b c, 1 more"},
		{FirstNames([]string{"a", "b"}, 2), "a, b"},
		{FirstNames([]string{strings.Repeat("x", 81)}, 1), strings.Repeat("x", 80) + "…"},
		{FirstNames(nil, 2), ""},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestLists(t *testing.T) {
	got := List([][]string{{"a", "", "under a"}, {"b"}})
	if want := "1. a\n   under a\n\n2. b"; got != want {
		t.Errorf("got %q", got)
	}
	for number, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -123: "-123", -1234: "-1,234"} {
		if got := Count(number); got != want {
			t.Errorf("%d: %s", number, got)
		}
	}
}
