package command

import (
	"context"
	"strings"

	"marvin/messages"
)

// Attached is what a prompt names behind @.
type Attached struct {
	Calls []messages.ToolCall // that look it up before the model is asked
	Said  string              // for the person: what is not looked up, and why
}

// submit sends a prompt, with what it names behind @. Words for a running turn go into its
// next step at once: its model reads what they name.
func submit(e *Engine, text string) {
	prompt := messages.Prompt{Text: text}
	if e.Attach == nil || !strings.Contains(text, "@") || e.Talk.Turn.Running {
		e.Front.Submit(prompt)
		return
	}
	dir := e.Talk.Dir
	e.beside("look at what the prompt names", func(ctx context.Context) func() {
		attached := e.Attach(ctx, text, dir)
		return func() {
			if attached.Said != "" {
				e.say(attached.Said)
			}
			if len(attached.Calls) > 0 {
				prompt.Parts = &messages.PromptParts{Calls: attached.Calls}
			}
			e.Front.Submit(prompt)
		}
	})
}
