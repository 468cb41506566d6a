package lineedit

import "unicode/utf8"

// draft contains the text and a cursor position.
type draft struct {
	buffer []element // never modified in place, because undo keeps older buffers
	cursor int       // the cursor is before buffer[cursor]
}

// Text returns the whole text, including the contents of chips.
func (d draft) Text() string { return textOf(d.buffer) }

// Empty reports whether there is no text.
func (d draft) Empty() bool { return len(d.buffer) == 0 }

// Length returns the number of code points in the text, including the contents of chips.
func (d draft) Length() (length int) {
	for _, each := range d.buffer {
		length += utf8.RuneCountInString(each.text)
	}
	return length
}

func (d draft) wordLeft() int {
	at := d.cursor
	for at > 0 && d.buffer[at-1].space() {
		at--
	}
	for at > 0 && !d.buffer[at-1].space() {
		at--
	}
	return at
}

func (d draft) wordRight() int {
	at := d.cursor
	for at < len(d.buffer) && d.buffer[at].space() {
		at++
	}
	for at < len(d.buffer) && !d.buffer[at].space() {
		at++
	}
	return at
}

func (d draft) lineStart() int {
	at := d.cursor
	for at > 0 && !d.buffer[at-1].newline() {
		at--
	}
	return at
}

func (d draft) lineEnd() int {
	at := d.cursor
	for at < len(d.buffer) && !d.buffer[at].newline() {
		at++
	}
	return at
}

// Word returns the word that ends at the cursor, and the text before that word on the same line.
// After a space or a chip, the word is empty.
func (d draft) Word() (before, word string) {
	from := d.wordStart()
	return textOf(d.buffer[d.lineStart():from]), textOf(d.buffer[from:d.cursor])
}

func (d draft) wordStart() int {
	at := d.cursor
	for at > 0 && !d.buffer[at-1].space() && d.buffer[at-1].chip == "" {
		at--
	}
	return at
}

// First reports whether the cursor is on the first line.
func (d draft) First() bool { return d.lineStart() == 0 }
