package command

import (
	"strings"

	"marvin/messages"
	"marvin/ui/slash"
)

// Attached describes what a prompt mentions after "@".
type Attached struct {
	Calls []messages.ToolCall // tool calls that read the content; they run before the model answers
	Said  string              // message that names the omitted content and the reasons
	// Provider is the role, provider or model that the prompt's first word names, or "". Marvin does
	// not send that word.
	Provider string
}

// FirstWord splits a prompt into its first word and the rest.
func FirstWord(text string) (word, rest string) {
	return slash.CutWord(strings.TrimSpace(text))
}

// shouldAttach reports whether Marvin attaches the files that a prompt names after "@". It returns
// false during a turn, because the prompt joins that turn and the model reads the files itself.
func shouldAttach(e *Engine, text string) bool {
	return e.Attach != nil && strings.Contains(text, "@") && !e.Talk.Turn.Running
}

// remind adds the user's recent shell commands to a prompt, except during a turn.
func remind(e *Engine, prompt *messages.Prompt) {
	if len(e.Lines.ran) == 0 || e.Talk.Turn.Running {
		return
	}
	ran := "Before the prompt below, the user ran:\n\n" + strings.Join(e.Lines.ran, "\n\n")
	if e.Lines.Hide != nil {
		ran = e.Lines.Hide(ran)
	}
	partsOf(prompt).Ran, e.Lines.ran = ran, nil
}

// partsOf returns the parts of a prompt and creates them if needed.
func partsOf(prompt *messages.Prompt) *messages.PromptParts {
	if prompt.Parts == nil {
		prompt.Parts = &messages.PromptParts{}
	}
	return prompt.Parts
}
