package lineedit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Limits of what is typed as it is; a longer paste becomes a chip.
const (
	chipLines = 8
	chipBytes = 1000
)

// undoDepth is how many steps can be taken back.
const undoDepth = 200

// Editor is a text that is being written. The zero value is empty and ready.
type Editor struct {
	buffer []element // never changed in place: undo keeps older ones
	cursor int       // in front of buffer[cursor]

	undone, redo []state
	last         action // what the last change was, to join those of one kind
	kills        []string
	yanked       [2]int // from..to of what Yank put
	nextKill     int
}

type state struct {
	buffer []element
	cursor int
}

// action is a kind of change; changes of one kind in a row are one step of undo.
type action uint8

const (
	none action = iota
	typing
	rubbing
	killing
	yanking
	other
)

// Text is what was written, with pastes in full.
func (e *Editor) Text() string { return textOf(e.buffer) }

// Empty says whether nothing was written.
func (e *Editor) Empty() bool { return len(e.buffer) == 0 }

// Length is how many characters were written, those of pastes included. One may be of
// several code points, which each count.
func (e *Editor) Length() (length int) {
	for _, each := range e.buffer {
		length += utf8.RuneCountInString(each.text)
	}
	return length
}

// Clear takes everything away; undo brings it back.
func (e *Editor) Clear() { e.change(other, 0, len(e.buffer), nil) }

// Reset begins a new text: nothing of the old one can be undone, what was killed can
// still be yanked.
func (e *Editor) Reset() { *e = Editor{kills: e.kills} }

// SetText replaces everything and goes to the end.
func (e *Editor) SetText(text string) { e.change(other, 0, len(e.buffer), split(clean(text))) }

// Insert types text.
func (e *Editor) Insert(text string) {
	text = clean(text)
	if text == "" {
		return
	}
	if text == " " || text == "\n" { // undo goes by words
		e.last = none
	}
	e.change(typing, e.cursor, e.cursor, split(text))
}

// Paste puts text that was not typed: a long one as a chip.
func (e *Editor) Paste(text string) {
	text = clean(text)
	if text == "" {
		return
	}
	e.change(other, e.cursor, e.cursor, pasted(text))
}

// Attach puts text that stands as a chip.
func (e *Editor) Attach(text, chip string) {
	e.change(other, e.cursor, e.cursor, []element{{text: clean(text), chip: clean(chip)}, {text: " "}})
}

// pasted is text as characters, or as a chip if it is long.
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

// OpenChip turns the chip beside the cursor into text. It reports whether there was one.
func (e *Editor) OpenChip() bool {
	for _, at := range []int{e.cursor - 1, e.cursor} {
		if at >= 0 && at < len(e.buffer) && e.buffer[at].chip != "" {
			e.change(other, at, at+1, split(e.buffer[at].text))
			return true
		}
	}
	return false
}

// Backspace and Delete take one character away.
func (e *Editor) Backspace() {
	if e.cursor > 0 {
		e.change(rubbing, e.cursor-1, e.cursor, nil)
	}
}

// Delete takes the character behind the cursor away.
func (e *Editor) Delete() {
	if e.cursor < len(e.buffer) {
		e.change(rubbing, e.cursor, e.cursor+1, nil)
	}
}

// change is the only writer of the buffer.
func (e *Editor) change(kind action, from, to int, with []element) {
	if from == to && len(with) == 0 {
		return
	}
	if kind != e.last || kind == other || len(e.undone) == 0 {
		e.undone = append(e.undone, state{e.buffer, e.cursor})
		if len(e.undone) > undoDepth {
			e.undone = e.undone[1:]
		}
	}
	e.redo, e.last = nil, kind
	e.buffer, e.cursor = replace(e.buffer, from, to, with)
}

// Undo takes the last change back.
func (e *Editor) Undo() { e.undone, e.redo = e.restore(e.undone, e.redo) }

// Redo makes it again.
func (e *Editor) Redo() { e.redo, e.undone = e.restore(e.redo, e.undone) }

func (e *Editor) restore(from, to []state) (rest, grown []state) {
	if len(from) == 0 {
		return from, to
	}
	to = append(to, state{e.buffer, e.cursor})
	was := from[len(from)-1]
	e.buffer, e.cursor, e.last = was.buffer, was.cursor, none
	return from[:len(from)-1], to
}
