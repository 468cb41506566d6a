package lineedit_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"marvin/ui/lineedit"
)

// keys lists all methods that change an editor.
var keys = []func(*lineedit.Editor){
	(*lineedit.Editor).Backspace, (*lineedit.Editor).Delete, (*lineedit.Editor).Left, (*lineedit.Editor).Right,
	(*lineedit.Editor).WordLeft, (*lineedit.Editor).WordRight, (*lineedit.Editor).LineStart, (*lineedit.Editor).LineEnd,
	(*lineedit.Editor).Start, (*lineedit.Editor).End, (*lineedit.Editor).KillToEnd, (*lineedit.Editor).KillToStart,
	(*lineedit.Editor).KillWordLeft, (*lineedit.Editor).KillWordRight, (*lineedit.Editor).Yank, (*lineedit.Editor).YankOlder,
	(*lineedit.Editor).Undo, (*lineedit.Editor).Redo, (*lineedit.Editor).Clear,
	func(e *lineedit.Editor) { e.Up(7) }, func(e *lineedit.Editor) { e.Down(7) }, func(e *lineedit.Editor) { e.OpenChip() },
	func(e *lineedit.Editor) { e.Paste(strings.Repeat(family+"\n", 9)) },
	func(e *lineedit.Editor) { e.Insert("\n") }, func(e *lineedit.Editor) { e.Insert("\u0301") },
	func(e *lineedit.Editor) { e.Insert("🇩") }, func(e *lineedit.Editor) { e.Insert("\u200d") },
}

func FuzzEditor(f *testing.F) {
	f.Add("日本 "+family+" e\u0301\n🇩🇪🇫🇷", []byte{1, 2, 20, 24, 25, 10, 14, 15, 16, 17}, 7)
	f.Add("a\x1b[31m\r\nb\tc", []byte{5, 4, 3, 0, 22, 21, 16, 19}, 2)
	f.Fuzz(func(t *testing.T, text string, presses []byte, width int) {
		if len(text) > 2000 || len(presses) > 200 {
			t.Skip()
		}
		width = 2 + max(width, -width)&0xff
		e := &lineedit.Editor{}
		for i, press := range presses {
			if int(press) < len(keys) {
				keys[press](e)
			} else if at := i * len(text) / len(presses); at < len(text) {
				e.Insert(text[at:])
			}
			if !utf8.ValidString(e.Text()) {
				t.Fatalf("%q is not valid", e.Text())
			}
			rows, row, column := e.Rows(width)
			if row < 0 || row >= len(rows) || column < 0 || column >= width {
				t.Fatalf("cursor at %d,%d in %d rows of %d", row, column, len(rows), width)
			}
			for _, each := range rows {
				if cells := uniseg.StringWidth(each.Text); cells > width {
					t.Fatalf("row %q is %d cells wide, not %d", each.Text, cells, width)
				}
			}
		}
		for e.OpenChip() {
			e.End()
		}
		e.End()
		whole := e.Text()
		for !e.Empty() {
			before := e.Text()
			e.Backspace()
			rubbed := strings.TrimPrefix(before, e.Text())
			if _, rest, _, _ := uniseg.FirstGraphemeClusterInString(rubbed, -1); rest != "" && len(rubbed) < 1000 && strings.Count(rubbed, "\n") < 8 {
				t.Fatalf("one key took %q of %q", rubbed, whole)
			}
		}
	})
}
