package lineedit

// Key handles a key in a single-line field. A key without a name inserts its character. Key ignores
// named keys that have no function in such a field.
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

// Actions returns the editing and cursor-movement actions by name.
func Actions() map[string]func(*Editor) {
	return map[string]func(*Editor){
		"newline":         func(e *Editor) { e.Insert("\n") },
		"left":            (*Editor).Left,
		"right":           (*Editor).Right,
		"word-left":       (*Editor).WordLeft,
		"word-right":      (*Editor).WordRight,
		"line-start":      (*Editor).LineStart,
		"line-end":        (*Editor).LineEnd,
		"backspace":       (*Editor).Backspace,
		"delete":          (*Editor).Delete,
		"kill-to-end":     (*Editor).KillToEnd,
		"kill-to-start":   (*Editor).KillToStart,
		"kill-word-left":  (*Editor).KillWordLeft,
		"kill-word-right": (*Editor).KillWordRight,
		"yank":            (*Editor).Yank,
		"yank-older":      (*Editor).YankOlder,
		"undo":            (*Editor).Undo,
		"redo":            (*Editor).Redo,
	}
}
