package lineedit

import (
	"fmt"
	"strings"
	"testing"
)

// The editor stores twenty killed texts and then drops the oldest. Texts killed with vi keys count
// as well.
func TestSoManyTakenTextsAreKept(t *testing.T) {
	for name, take := range map[string]func(e *Editor, text string){
		"killed": func(e *Editor, text string) { e.SetText(text); e.End(); e.KillToStart(); e.Left() },
		"by vi":  func(e *Editor, text string) { keep(e, text) },
	} {
		for count := 19; count <= 22; count++ {
			e := &Editor{}
			for i := range count {
				take(e, fmt.Sprint("text", i))
			}
			e.SetText("")
			e.Yank()
			for range killDepth - 1 { // back to the oldest of twenty
				e.YankOlder()
			}
			want := fmt.Sprint("text", max(0, count-killDepth))
			if count == 19 { // around to the newest
				want = "text18"
			}
			if got := e.Text(); got != want || len(e.kills) != min(count, killDepth) {
				t.Errorf("%s: of %d the oldest is %q, want %q", name, count, got, want)
			}
		}
	}
}

func TestSeveralStepsAreUndone(t *testing.T) {
	for _, steps := range []int{199, 200, 201} {
		e := &Editor{}
		for i := range steps {
			e.Paste(fmt.Sprint(i % 10))
		}
		for range 300 {
			e.Undo()
		}
		if got := e.Text(); len(got) != max(0, steps-undoDepth) {
			t.Errorf("of %d steps %q is left", steps, got)
		}
		for range 300 {
			e.Redo()
		}
		if got := e.Text(); len(got) != steps {
			t.Errorf("of %d steps %d are made again", steps, len(got))
		}
	}
	e := &Editor{}
	e.Paste("")
	e.Paste("a")
	e.Paste("b")
	e.Undo()
	e.Paste("c")
	if e.Redo(); e.Text() != "ac" {
		t.Errorf("%q", e.Text())
	}
}

// The history stores a thousand entries. It skips empty texts and repetitions of the last entry.
func TestSoManyEntriesAreRemembered(t *testing.T) {
	for _, count := range []int{999, 1000, 1001} {
		var h History
		for i := range count {
			h.Add(fmt.Sprint("entry ", i))
			h.Add(fmt.Sprint("entry ", i))
			h.Add(" \n")
		}
		oldest := ""
		for {
			text, ok := h.Older("draft")
			if !ok {
				break
			}
			oldest = text
		}
		if want := fmt.Sprint("entry ", max(0, count-historyDepth)); oldest != want || h.back != min(count, historyDepth) {
			t.Errorf("of %d the oldest is %q, %d back", count, oldest, h.back)
		}
		for range h.back {
			h.Newer()
		}
		if _, ok := h.Newer(); ok || h.draft != "draft" {
			t.Errorf("behind the draft is more")
		}
	}
	h := History{entries: []string{"Make all", "make", "x", "make", "remake"}}
	for skip, want := range []string{"remake", "make", "Make all", ""} {
		if got, ok := h.Search("MAKE", skip); got != want || ok != (want != "") {
			t.Errorf("%d further back is %q", skip, got)
		}
	}
	if got, ok := h.Search("", 0); ok || got != "" {
		t.Errorf("nothing is in %q", got)
	}
}

// A pasted text becomes a chip just above the limits of lines or bytes, and is sent in full.
func TestPasteLimit(t *testing.T) {
	lines := func(count int) string { return strings.TrimSuffix(strings.Repeat("x\n", count), "\n") }
	for _, row := range []struct{ text, chip string }{
		{lines(chipLines), ""},
		{lines(chipLines) + "\n", ""},
		{lines(chipLines + 1), fmt.Sprintf("[pasted %d lines]", chipLines+1)},
		{strings.Repeat("x", chipBytes), ""},
		{strings.Repeat("x", chipBytes+1), fmt.Sprintf("[pasted %d characters]", chipBytes+1)},
		{strings.Repeat("é", chipBytes), fmt.Sprintf("[pasted %d characters]", chipBytes)},
	} {
		e := &Editor{}
		e.Paste(row.text)
		chip := ""
		if len(e.buffer) == 1 {
			chip = e.buffer[0].chip
		}
		if chip != row.chip || e.Text() != row.text {
			t.Errorf("%.9q of %d bytes is %q", row.text, len(row.text), chip)
		}
		if opened := e.OpenChip(); opened != (row.chip != "") || e.Text() != row.text || e.OpenChip() {
			t.Errorf("%.9q was opened: %v", row.text, opened)
		}
	}
	e := &Editor{}
	e.Attach("/a b\x1b", "[pic\x1bture]")
	if e.Text() != "/a b " || len(e.buffer) != 2 || e.buffer[0].chip != "[picture]" {
		t.Errorf("%q, %d", e.Text(), len(e.buffer))
	}
	e.Left()
	if e.Backspace(); e.Text() != " " {
		t.Errorf("%q", e.Text())
	}
}

// Consecutive kills form one text, in their order in the line.
func TestKillsInARowGrowBothWays(t *testing.T) {
	e := &Editor{}
	e.SetText("one two three four")
	e.LineStart()
	e.WordRight()
	e.WordRight()
	e.KillWordRight()
	e.KillWordRight()
	e.KillWordLeft()
	if e.KillToEnd(); len(e.kills) != 1 || e.kills[0] != "two three four" || e.Text() != "one " {
		t.Errorf("%q, left %q", e.kills, e.Text())
	}
	e.LineStart()
	e.LineEnd()
	e.KillToEnd() // nothing is left to delete
	if e.Yank(); e.Text() != "one two three four" {
		t.Errorf("%q", e.Text())
	}
}
