package lineedit_test

import (
	"strings"
	"testing"

	"marvin/ui/lineedit"
)

const family = "👨‍👩‍👧"

func typed(texts ...string) *lineedit.Editor {
	e := &lineedit.Editor{}
	for _, text := range texts {
		e.Insert(text)
	}
	return e
}

func check(t *testing.T, e *lineedit.Editor, want string) {
	t.Helper()
	if got := e.Text(); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

func TestOneKeyTakesOneCharacter(t *testing.T) {
	for _, character := range []string{"e", "é", "e\u0301", "日", "🇩🇪", family, "👍🏽", "❤️", "ก็"} {
		e := typed("a", character, "b")
		e.Left()
		e.Backspace()
		check(t, e, "ab")
		e.Undo()
		check(t, e, "a"+character+"b")
		e.Start()
		e.Right()
		e.Delete()
		check(t, e, "ab")
	}
}

func TestCombiningCharactersMerge(t *testing.T) {
	e := typed("e", "\u0301") // an accent that arrives as a separate key
	e.Backspace()
	check(t, e, "")
	e = typed("🇩🇪")
	e.Start()
	e.Insert("🇫🇷")
	e.Delete()
	check(t, e, "🇫🇷")
	e = typed("a\n\u0301")
	e.Start()
	e.Right()
	e.Delete() // the line break goes, the accent joins the letter
	e.Backspace()
	check(t, e, "")
}

func TestControlCharactersCannotBeTyped(t *testing.T) {
	e := typed("a\x1b]0;title\x07b\r\nc\rd")
	e.Paste("\u202e\x00e")
	check(t, e, "a]0;titleb\nc\nde")
}

func TestLongPasteBecomesChipAndIsSentInFull(t *testing.T) {
	pasted := strings.Repeat("a line\n", 200)
	e := typed("see ")
	e.Paste(pasted)
	e.Insert(" please")
	check(t, e, "see "+pasted+" please")
	rows, _, _ := e.Rows(80)
	if len(rows) != 1 || rows[0].Text != "see [pasted 200 lines] please" {
		t.Errorf("rows %+v", rows)
	}
	e.WordLeft()
	e.Left()
	if !e.OpenChip() {
		t.Error("the chip beside the cursor does not open")
	}
	if rows, _, _ = e.Rows(80); len(rows) != 201 {
		t.Errorf("%d rows when open", len(rows))
	}
	check(t, e, "see "+pasted+" please")
	e.Undo()
	e.KillToEnd()
	e.KillToStart()
	e.Yank()
	check(t, e, "see "+pasted+" please")
	short := typed()
	short.Paste("two\nlines")
	if rows, _, _ = short.Rows(80); len(rows) != 2 {
		t.Errorf("a short paste shows as %+v", rows)
	}
}

func TestKillsInARowAreOneAndTheRingTurns(t *testing.T) {
	e := typed("one two three")
	e.KillWordLeft()
	e.KillWordLeft()
	check(t, e, "one ")
	e.Yank()
	check(t, e, "one two three")
	e.LineStart()
	e.KillWordRight()
	e.End()
	e.Yank()
	check(t, e, " two threeone")
	e.YankOlder()
	check(t, e, " two threetwo three")
	e.Reset()
	e.Yank()
	check(t, e, "one")
}

func TestUndoGoesByWordsAndBack(t *testing.T) {
	e := typed("o", "n", "e", " ", "t", "w", "o")
	e.Undo()
	check(t, e, "one")
	e.Undo()
	check(t, e, "")
	e.Redo()
	e.Redo()
	check(t, e, "one two")
	e.Clear()
	check(t, e, "")
	e.Undo()
	check(t, e, "one two")
	e.Undo()
	e.Insert("!")
	e.Redo() // there is nothing to redo
	check(t, e, "one!")
}

func TestCursorIsInTheRightCell(t *testing.T) {
	cases := []struct {
		text        string
		width       int
		row, column int
	}{
		{"", 10, 0, 0},
		{"日本語", 10, 0, 6},
		{"日本語", 6, 1, 0}, // the row is full
		{"日本語", 5, 1, 2},
		{"ab" + family, 10, 0, 4},
		{"e\u0301", 10, 0, 1},
		{"one\n", 10, 1, 0},
		{"one\ntwo", 3, 2, 0},
		{"a\tb", 10, 0, 6},
	}
	for _, each := range cases {
		e := typed(each.text)
		if _, row, column := e.Rows(each.width); row != each.row || column != each.column {
			t.Errorf("%q at width %d: cursor in row %d, cell %d, want %d, %d", each.text, each.width, row, column, each.row, each.column)
		}
	}
}

func TestUpAndDownKeepTheColumn(t *testing.T) {
	e := typed("日本語 one\nshort\nlonger line")
	for _, more := range []bool{true, true, false} {
		if e.Up(40) != more {
			t.Fatal("there are two rows above")
		}
	}
	e.Insert("|")
	check(t, e, "日本|語 one\nshort\nlonger line")
	if !e.Down(40) {
		t.Fatal("there is a row below")
	}
	e.Insert("|")
	check(t, e, "日本|語 one\nshort|\nlonger line")
	wrapped := typed("0123456789")
	wrapped.Up(4)
	wrapped.Up(4)
	wrapped.Insert("|")
	check(t, wrapped, "01|23456789")
}

func TestHistoryKeepsTheDraft(t *testing.T) {
	var h lineedit.History
	for _, text := range []string{"first", "second", "second", " "} {
		h.Add(text)
	}
	older := func(present, want string, wantOK bool) {
		t.Helper()
		if got, ok := h.Older(present); got != want || ok != wantOK {
			t.Errorf("older: %q %v", got, ok)
		}
	}
	older("draft", "second", true)
	older("second", "first", true)
	older("first", "", false)
	for _, want := range []string{"second", "draft"} {
		if got, ok := h.Newer(); got != want || !ok {
			t.Errorf("newer: %q %v, want %q", got, ok, want)
		}
	}
	if _, ok := h.Newer(); ok {
		t.Error("something is newer than the draft")
	}
	h.Add("third SECOND")
	for skip, want := range []string{"third SECOND", "second"} {
		if got, ok := h.Search("second", skip); got != want || !ok {
			t.Errorf("search %d: %q %v", skip, got, ok)
		}
	}
	if _, ok := h.Search("second", 2); ok {
		t.Error("a third match")
	}
}

func TestBehindACompletedWordTheBlankGivesWay(t *testing.T) {
	for _, row := range []struct {
		then func(*lineedit.Editor)
		want string
	}{
		{func(e *lineedit.Editor) { e.Insert(":"); e.Insert("1") }, "see @main.go:1"},
		{func(e *lineedit.Editor) { e.Insert(",") }, "see @main.go,"},
		{func(e *lineedit.Editor) { e.Insert("x") }, "see @main.go x"},
		{func(e *lineedit.Editor) { e.Insert("x"); e.Insert(":") }, "see @main.go x:"},
		{func(e *lineedit.Editor) { e.Left(); e.Right(); e.Insert(":") }, "see @main.go :"},
		{func(e *lineedit.Editor) { e.Paste(":") }, "see @main.go :"},
		{func(e *lineedit.Editor) { e.Insert(":"); e.Undo() }, "see @main.go "},
		{func(e *lineedit.Editor) { e.Insert(":"); e.Undo(); e.Undo() }, "see @ma"},
	} {
		var e lineedit.Editor
		e.Paste("see @ma")
		e.CompleteWord("@main.go")
		if row.then(&e); e.Text() != row.want {
			t.Errorf("%q, want %q", e.Text(), row.want)
		}
	}
}
