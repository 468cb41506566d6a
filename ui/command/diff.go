package command

import (
	"marvin/messages"
	"marvin/ui/changes"
)

// diff shows the conversation's changes to files with Review or, if Review is nil, as a patch.
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
