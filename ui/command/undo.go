package command

import (
	"regexp"
	"strings"
	"sync"

	"marvin/messages"
)

// turnNames matches the names of turns: t3, or 3 as in lists. A file with such a name is written as
// ./3.
var turnNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^t?([0-9]+)$`) })

// undo asks the conversation to undo the tools' changes: those of a turn, of a file, or of a file
// in a turn.
func (e *Engine) undo(text string, again bool) {
	e.ask("take files back", parseUndo(text, again))
}

// parseUndo parses the arguments of undo and redo.
func parseUndo(text string, again bool) messages.Undo {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, " ")
	if turn := turnNames().FindStringSubmatch(first); turn != nil {
		return messages.Undo{Turn: "t" + turn[1], Path: strings.TrimSpace(rest), Redo: again}
	}
	return messages.Undo{Path: text, Redo: again}
}
