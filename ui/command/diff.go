package command

import (
	"marvin/messages"
	"marvin/ui/changes"
)

// diff passes the conversation's changes to e.Review. If e.Review is nil, diff prints the changes.
func (e *Engine) diff(string) {
	e.waits.changes = func(all messages.Changes) {
		if len(all.Files) == 0 || e.Review == nil {
			e.say(changes.Text(all))
			return
		}
		e.Review(all)
	}
	e.ask("look at what was changed", messages.ListChanges{})
}
