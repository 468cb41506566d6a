package lineedit

// Left moves the cursor left by one character.
func (e *Editor) Left() { e.move(e.cursor - 1) }

// Right moves the cursor right by one character.
func (e *Editor) Right() { e.move(e.cursor + 1) }

// WordLeft moves the cursor to the start of the word.
func (e *Editor) WordLeft() { e.move(e.wordLeft()) }

// WordRight moves the cursor to just after the end of the word.
func (e *Editor) WordRight() { e.move(e.wordRight()) }

// LineStart moves the cursor to the start of the line.
func (e *Editor) LineStart() { e.move(e.lineStart()) }

// LineEnd moves the cursor to the end of the line.
func (e *Editor) LineEnd() { e.move(e.lineEnd()) }

// Start moves the cursor to the start of the text.
func (e *Editor) Start() { e.move(0) }

// End moves the cursor to the end of the text.
func (e *Editor) End() { e.move(len(e.buffer)) }

// CompleteWord replaces the word before the cursor with the given word and a space. [Editor.Insert]
// removes the space if the next typed character is in [clinging].
func (e *Editor) CompleteWord(word string) {
	e.change(completing, e.wordStart(), e.cursor, split(clean(word)+" "))
}

// ReplaceWord replaces the word before the cursor.
func (e *Editor) ReplaceWord(text string) {
	e.change(other, e.wordStart(), e.cursor, split(clean(text)))
}
