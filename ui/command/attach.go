package command

import (
	"strings"
	"unicode"

	"marvin/messages"
)

// Attached is what a prompt names behind @.
type Attached struct {
	Calls []messages.ToolCall // that look it up before the model is asked
	Said  string              // for the user: what is left out, and why
	// Provider is the provider to ask, if the first word names one; the model gets the rest of the
	// prompt.
	Provider string
}

// FirstWord parts the first word of a prompt from the rest.
func FirstWord(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	at := strings.IndexFunc(text, unicode.IsSpace)
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimSpace(text[at:])
}

// attaches reports whether it is looked up what a prompt names. Words for a running turn go into
// its next step at once: its model reads what they name.
func attaches(e *Engine, text string) bool {
	return e.Attach != nil && strings.Contains(text, "@") && !e.Talk.Turn.Running
}

// remind has a prompt tell of the commands that the person ran before it. Words for a running
// turn leave them to the next one.
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

// partsOf returns the parts of a prompt, and adds them if necessary.
func partsOf(prompt *messages.Prompt) *messages.PromptParts {
	if prompt.Parts == nil {
		prompt.Parts = &messages.PromptParts{}
	}
	return prompt.Parts
}
