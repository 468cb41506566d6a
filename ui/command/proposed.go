package command

import (
	"strings"

	"marvin/messages"
)

// Proposed parts what is asked about into why and a unified diff, which is "" for others.
func Proposed(asked messages.Asked) (why, diff string) {
	at := strings.Index("\n"+asked.Detail, "\n--- ")
	if !asked.Diff || at < 0 {
		return asked.Detail, ""
	}
	return strings.TrimSuffix(asked.Detail[:at], "\n"), asked.Detail[at:]
}

// EditProposed has a person edit the change that is asked about: its file, as it would be, at
// the line where the change begins, or the change itself where edit is all there is, which
// changes a text. It returns the answer: a no, with the words to make it as they want. False is
// for nothing edited. The terminal is theirs meanwhile, which is for the caller to see to.
func EditProposed(e *Engine, asked messages.Asked, edit func(string) (string, error)) (answer messages.Answer, edited bool, err error) {
	_, proposed := Proposed(asked)
	wanted, known := "", false
	if e.Host != nil {
		wanted, known, err = e.Host.EditChange(proposed, e.Talk.Dir)
	}
	if !known && err == nil {
		wanted, err = edit(proposed)
	}
	if err != nil || strings.TrimSpace(wanted) == strings.TrimSpace(proposed) || strings.TrimSpace(wanted) == "" {
		return messages.Answer{}, false, err
	}
	return messages.Answer{Ask: asked.Ask, Choice: messages.No, Text: "Make the change like this instead:\n" + wanted}, true, nil
}
