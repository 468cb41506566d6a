package lineedit

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// chipLines and chipBytes limit a paste that is inserted as plain text. A longer paste becomes a
// chip.
const (
	chipLines = 8
	chipBytes = 1000
)

// Editor edits text. The zero value is empty and ready to use.
type Editor struct {
	revised
	kills    []string
	yanked   [2]int // start and end of the text that Yank inserted last
	nextKill int
}

// Clear deletes the text. Undo restores it.
func (e *Editor) Clear() { e.change(other, 0, len(e.buffer), nil) }

// Reset clears the text and the undo history. Killed text can still be yanked.
func (e *Editor) Reset() { *e = Editor{kills: e.kills} }

// SetText replaces the whole text and moves the cursor to the end.
func (e *Editor) SetText(text string) { e.change(other, 0, len(e.buffer), split(clean(text))) }

// clinging contains punctuation that can directly follow a word. For example, a colon separates a
// file name from line numbers.
const clinging = ":,;.?!)"

// Insert inserts typed text. Directly after a completed word, a character from [clinging] replaces
// the space after the word.
func (e *Editor) Insert(text string) {
	text = clean(text)
	if text == "" {
		return
	}
	if e.last == completing && strings.Contains(clinging, text) {
		e.change(typing, e.cursor-1, e.cursor, split(text))
		return
	}
	if text == " " || text == "\n" { // undo works word by word
		e.last = none
	}
	e.change(typing, e.cursor, e.cursor, split(text))
}

// Paste inserts pasted text. Long text becomes a chip.
func (e *Editor) Paste(text string) {
	text = clean(text)
	if text == "" {
		return
	}
	e.change(other, e.cursor, e.cursor, pasted(text))
}

// Attach inserts text that is displayed as a chip.
func (e *Editor) Attach(text, chip string) {
	e.change(other, e.cursor, e.cursor, []element{{text: clean(text), chip: clean(chip)}, {text: " "}})
}

// pasted divides text into characters. Long text becomes a single chip.
func pasted(text string) []element {
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	switch {
	case lines <= chipLines && len(text) <= chipBytes:
		return split(text)
	case lines == 1:
		return []element{{text: text, chip: fmt.Sprintf("[pasted %d characters]", uniseg.GraphemeClusterCount(text))}}
	}
	return []element{{text: text, chip: fmt.Sprintf("[pasted %d lines]", lines)}}
}

// OpenChip expands a chip next to the cursor into plain text. It returns false if there is no such
// chip.
func (e *Editor) OpenChip() bool {
	for _, at := range []int{e.cursor - 1, e.cursor} {
		if at >= 0 && at < len(e.buffer) && e.buffer[at].chip != "" {
			e.change(other, at, at+1, split(e.buffer[at].text))
			return true
		}
	}
	return false
}

// Backspace deletes the character before the cursor.
func (e *Editor) Backspace() {
	if e.cursor > 0 {
		e.change(rubbing, e.cursor-1, e.cursor, nil)
	}
}

// Delete deletes the character after the cursor.
func (e *Editor) Delete() {
	if e.cursor < len(e.buffer) {
		e.change(rubbing, e.cursor, e.cursor+1, nil)
	}
}
