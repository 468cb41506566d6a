package command

import (
	"regexp"
	"strings"
	"sync"

	"marvin/messages"
)

// turnNames is how turns are called: t3, or 3 as the lists of them show it. A file of that
// name is said as ./3.
var turnNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^t?([0-9]+)$`) })

// undo asks for what tools wrote: of a turn, of a file, or of a file in a turn.
func (e *Engine) undo(text string, again bool) {
	e.ask("take files back", wished(text, again))
}

// wished is what the user wants to undo or redo.
func wished(text string, again bool) messages.Undo {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, " ")
	if turn := turnNames().FindStringSubmatch(first); turn != nil {
		return messages.Undo{Turn: "t" + turn[1], Path: strings.TrimSpace(rest), Redo: again}
	}
	return messages.Undo{Path: text, Redo: again}
}
