package lineedit

// Key handles a key in a field of one line: a letter, which has no name, or a key that edits or
// moves. It ignores other keys.
func (e *Editor) Key(name string, letter rune) {
	switch name {
	case "":
		e.Insert(string(letter))
	case "Backspace", "Ctrl-H":
		e.Backspace()
	case "Delete":
		e.Delete()
	case "Left", "Ctrl-B":
		e.Left()
	case "Right":
		e.Right()
	case "Home", "Ctrl-A":
		e.LineStart()
	case "End", "Ctrl-E":
		e.LineEnd()
	case "Ctrl-U":
		e.Clear()
	case "Ctrl-W", "Alt-Backspace":
		e.KillWordLeft()
	}
}
