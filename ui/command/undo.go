package command

import (
	"regexp"
	"strings"
	"sync"

	"marvin/messages"
)

// turnNames is how turns are called.
var turnNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^t[0-9]+$`) })

// undo asks for what tools wrote: of a turn, of a file, or of a file in a turn.
func (e *Engine) undo(text string, again bool) {
	wish := messages.Undo{Redo: again}
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if turnNames().MatchString(first) {
		wish.Turn, wish.Path = first, strings.TrimSpace(rest)
	} else {
		wish.Path = strings.TrimSpace(text)
	}
	e.ask("take files back", wish)
}
