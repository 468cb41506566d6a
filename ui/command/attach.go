package command

import (
	"strings"

	"marvin/messages"
)

// Attached is what a prompt names behind @.
type Attached struct {
	Calls []messages.ToolCall // that look it up before the model is asked
	Said  string              // for the person: what is not looked up, and why
}

// attaches says whether it is looked up what a prompt names. Words for a running turn go into
// its next step at once: its model reads what they name.
func attaches(e *Engine, text string) bool {
	return e.Attach != nil && strings.Contains(text, "@") && !e.Talk.Turn.Running
}
