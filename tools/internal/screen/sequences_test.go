package screen

import (
	"strings"
	"testing"
)

func TestEachSequenceOnAScreen(t *testing.T) {
	for _, row := range []struct{ given, want string }{
		{"one\ntwo\x1b[AX", "oneX\ntwo"},
		{"one\ntwo\x1b[FX", "Xne\ntwo"},
		{"one\ntwo\x1b[9FX", "Xne\ntwo"},
		{"one\ntwo\x1b[A\x1b[EX", "one\nXwo"},
		{"one\ntwo\x1b[A\x1b[9EX", "one\nXwo"},
		{"one\ntwo\x1b[A\x1b[BX", "one\ntwoX"},
		{"one\x1b[BX", "oneX"},
		{"one\x1b[0CX", "one X"},
		{"one\x1b[DX", "onX"},
		{"one\x1b[9DX", "Xne"},
		{"one\x1b[GX", "Xne"},
		{"one\x1b[3GX", "onX"},
		{"one\x1b[0GX", "Xne"},
		{"a\n\x1b[HX", "a\nX"},
		{"a\x1b[HX", "a\nX"},
		{"a\x1b[2;3HX", "a\n\n  X"},
		{"a\x1b[2;3fX\x1b[fY", "a\nY\n  X"},
		{"a\x1b[dX", "a\n X"},
		{"a\x1b[3dX\x1b[1dY", "a\n  Y\n\n X"},
		{"a\n\x1b[3dX\x1b[0dY", "a\n Y\n\nX"},
		{"abc\x1b[s\rX\x1b[uY", "XbcY"},
		{"a\x1b[s\nb\x1b[uX", "aX\nb"},
		{"a\x1b7\nb\x1b8X", "aX\nb"},
		{"a\nb\x1bMX", "aX\nb"},
		{"a\x1bMX", "aX"},
		{"a\nb\x1b[A\x1bMX", "aX\nb"},
		{"abcd\x1b[2D\x1b[JX", "abX"},
		{"ab\ncd\x1b[2;1H\x1b[JX", "ab\ncd\n\nX"},
		{"\x1b[Hab\ncd\nef\x1b[2;2H\x1b[0JX", "ab\ncX\n"},
		{"\x1b[Hab\ncd\nef\x1b[2;2H\x1b[1JX", "\n X\nef"},
		{"\x1b[Hab\ncd\nef\x1b[2;2H\x1b[2JX", "\n X\n"},
		{"\x1b[Hab\ncd\nef\x1b[2;2H\x1b[3JX", "\n X\n"},
		{"abcd\x1b[2D\x1b[0KX", "abX"},
		{"abcd\x1b[9C\x1b[1KX", strings.Repeat(" ", 13) + "X"},
		{"abcd\x1b[3D\x1b[PX", "aXd"},
		{"abcd\x1b[3D\x1b[0PX", "aXd"},
		{"abcd\x1b[3D\x1b[XY", "aYcd"},
		{"abcd\x1b[2C\x1b[2PX", "abcd  X"},
		{"abcd\x1b[2C\x1b[2XY", "abcd  Y"},
		{"a\x1b[1;31;40mb\x1b[?25lc\x1b[6nd", "abcd"},
		{"a\x1b[12\nb", "a\nb"},
		{"a\x1b[\x7fb", "ab"},
		{"a\x1b[12", "a"},
		{"a\x1b[=1;2~b", "ab"},
		{"a\x1b(", "a"},
		{"a\x1b(0b\x1b)Bc\x1b*Bd\x1b+Be\x1b#8f\x1b Gg\x1b%Gh", "abcdefgh"},
		{"a\x1bcb\x1b=c\x1b>d\x1bäe", "abcde"},
		{"a\x1b\x1b[2Db", "b"},
		{"a\x1b\nb\x1b\rc", "a\nc"},
		{"a\x1bPq\x1b\\b\x1bXx\x1b\\c\x1b^y\x1b\\d\x1b_z\x07e", "abcde"},
		{"a\x1b]0;t\x1b[31mb", "ab"},
		{"a\x1b]0;t", "a"},
		{"a\x1b]" + strings.Repeat("x", longest) + "b", "ab"},
		{"a\x1b]" + strings.Repeat("x", longest-1) + "\x07b", "ab"},
		{"\x1b[1000CX", strings.Repeat(" ", widest) + "X"},
		{strings.Repeat("x", widest+3) + "\x1b[CY", strings.Repeat("x", widest+3) + "Y"},
		{"\x1b[1;1000HX", strings.Repeat(" ", widest-1) + "X"},
		{"\x1b[1000GX", strings.Repeat(" ", widest-1) + "X"},
		{"\x1b[1000HX", strings.Repeat("\n", highest-1) + "X"},
		{"\x1b[1000dX", strings.Repeat("\n", highest-1) + "X"},
		{"\x1b[H\x1b[1000BX", strings.Repeat("\n", highest-1) + "X"},
		{"\x1b[;;5HX", "X"},
		{"\x1b[-5CX", " X"},
		{"\x1b[x5CY", "5CY"},
		{"a \x1b[Kb ", "a b"},
		{"a\b\bb", "b"},
		{"a\tb\x1b[2Dc", "acb"},
	} {
		if got := Clean(row.given); got != row.want {
			t.Errorf("%.60q is shown as %.80q, not %.80q", row.given, got, row.want)
		}
	}
	for r, want := range map[rune]bool{0: true, 0x1F: true, '\n': false, '\t': false, ' ': false, '~': false, 0x7F: true, 0x80: true, 0x9F: true, 0xA0: false, 'ä': false} {
		if isControl(r) != want || HasControls(string(r)) != want {
			t.Errorf("%U steers: %v", r, !want)
		}
	}
	if HasControls("a\xc2") || HasControls([]byte("\xc2\xa0")) || !HasControls("\xc2\x9f") {
		t.Error("half a character steers, or a whole one does not")
	}
}
