package command

import (
	"context"
	"fmt"
	"slices"

	"marvin/messages"
	"marvin/ui/transcript"
)

// export writes the conversation to a new file. The extension of the file sets the format.
func (e *Engine) export(path string) {
	if !transcript.Writes(path) {
		e.warn("Usage: /export " + transcript.Forms + " writes this conversation to a new file.")
		return
	}
	if len(e.Talk.Steps) == 0 {
		e.warn("There is nothing to export yet.")
		return
	}
	steps, dir, title := slices.Clone(e.Talk.Steps), e.Talk.Dir, e.Talk.Heading()
	turns := 0
	for _, step := range steps {
		if step.Role == "you" {
			turns++
		}
	}
	e.runOutside("export", func(context.Context) func() {
		content, err := transcript.Format(path, title, steps)
		if err == nil {
			path, err = e.Host.Write(path, dir, content)
		}
		return e.outcome(err, fmt.Sprintf("Exported %s to %s", messages.Counted(turns, "turn"), path))
	})
}
