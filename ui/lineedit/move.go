package lineedit

// Left and Right go by one character, WordLeft and WordRight by a word.
func (e *Editor) Left() { e.move(e.cursor - 1) }

// Right goes right by one character.
func (e *Editor) Right() { e.move(e.cursor + 1) }

// WordLeft goes to the beginning of the word.
func (e *Editor) WordLeft() { e.move(e.wordLeft()) }

// WordRight goes behind the end of the word.
func (e *Editor) WordRight() { e.move(e.wordRight()) }

// LineStart and LineEnd go to the ends of the line, Start and End to those of the text.
func (e *Editor) LineStart() { e.move(e.lineStart()) }

// LineEnd goes to the end of the line.
func (e *Editor) LineEnd() { e.move(e.lineEnd()) }

// Start goes to the beginning of the text.
func (e *Editor) Start() { e.move(0) }

// End goes to the end of the text.
func (e *Editor) End() { e.move(len(e.buffer)) }

// CompleteWord replaces the word before the cursor by a complete one and a space. The space
// disappears if the next text continues or ends the word (see Insert).
func (e *Editor) CompleteWord(word string) {
	e.change(completing, e.wordStart(), e.cursor, split(clean(word)+" "))
}

// ReplaceWord replaces the word before the cursor.
func (e *Editor) ReplaceWord(text string) {
	e.change(other, e.wordStart(), e.cursor, split(clean(text)))
}
