package command

import (
	"marvin/messages"
	"marvin/ui/changes"
)

// diff sends the conversation's changes to e.Review. If no file has changed, or if e.Review is nil,
// the changes are printed instead.
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
