package command

import (
	"regexp"
	"strings"
	"sync"

	"marvin/messages"
)

// turnNames matches "t3", the name of a turn, and "3", its form in lists. For a file with such a
// name, the user types "./3".
var turnNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^t?([0-9]+)$`) })

// undo asks the conversation to undo changes made by tools. The text can name a turn, a file, or
// both. If redo is true, the conversation makes the undone changes again.
func (e *Engine) undo(text string, redo bool) {
	e.ask("take files back", parseUndo(text, redo))
}

func parseUndo(text string, redo bool) messages.Undo {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, " ")
	if turn := turnNames().FindStringSubmatch(first); turn != nil {
		return messages.Undo{Turn: "t" + turn[1], Path: strings.TrimSpace(rest), Redo: redo}
	}
	return messages.Undo{Path: text, Redo: redo}
}
