package lineedit

// move goes to a place; typing after it is a step of undo of its own.
func (e *Editor) move(to int) {
	e.cursor = max(0, min(to, len(e.buffer)))
	e.last = none
}

// Left and Right go by one character, WordLeft and WordRight by a word.
func (e *Editor) Left() { e.move(e.cursor - 1) }

// Right goes right by one character.
func (e *Editor) Right() { e.move(e.cursor + 1) }

// WordLeft goes to the beginning of the word.
func (e *Editor) WordLeft() { e.move(e.wordLeft()) }

// WordRight goes behind the end of the word.
func (e *Editor) WordRight() { e.move(e.wordRight()) }

func (e *Editor) wordLeft() int {
	at := e.cursor
	for at > 0 && e.buffer[at-1].space() {
		at--
	}
	for at > 0 && !e.buffer[at-1].space() {
		at--
	}
	return at
}

func (e *Editor) wordRight() int {
	at := e.cursor
	for at < len(e.buffer) && e.buffer[at].space() {
		at++
	}
	for at < len(e.buffer) && !e.buffer[at].space() {
		at++
	}
	return at
}

// LineStart and LineEnd go to the ends of the line, Start and End to those of the text.
func (e *Editor) LineStart() { e.move(e.lineStart()) }

// LineEnd goes to the end of the line.
func (e *Editor) LineEnd() { e.move(e.lineEnd()) }

// Start goes to the beginning of the text.
func (e *Editor) Start() { e.move(0) }

// End goes to the end of the text.
func (e *Editor) End() { e.move(len(e.buffer)) }

func (e *Editor) lineStart() int {
	at := e.cursor
	for at > 0 && !e.buffer[at-1].newline() {
		at--
	}
	return at
}

func (e *Editor) lineEnd() int {
	at := e.cursor
	for at < len(e.buffer) && !e.buffer[at].newline() {
		at++
	}
	return at
}

// Word is what stands between the last space and the cursor, and the line before it.
func (e *Editor) Word() (before, word string) {
	from := e.wordStart()
	return textOf(e.buffer[e.lineStart():from]), textOf(e.buffer[from:e.cursor])
}

// ReplaceWord puts text in the place of the word in front of the cursor.
func (e *Editor) ReplaceWord(text string) {
	e.change(other, e.wordStart(), e.cursor, split(clean(text)))
}

func (e *Editor) wordStart() int {
	at := e.cursor
	for at > 0 && !e.buffer[at-1].space() && e.buffer[at-1].chip == "" {
		at--
	}
	return at
}

// First says whether the cursor is in the first line.
func (e *Editor) First() bool { return e.lineStart() == 0 }
