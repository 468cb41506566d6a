package command

import (
	"regexp"
	"strings"
	"sync"

	"marvin/messages"
)

// turnNames matches the name of a turn, such as "t3". The "t" is optional, because lists omit it.
// For a file named "3", the user types "./3".
var turnNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^t?([0-9]+)$`) })

// undo reverts changes that tools made. If redo is true, it restores the reverted changes. The text
// can name a turn, a file, or both.
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
