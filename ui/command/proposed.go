package command

import (
	"strings"

	"marvin/messages"
)

// SplitProposal splits a question into the reason and a unified diff, which may be "".
func SplitProposal(asked messages.Asked) (why, diff string) {
	at := strings.Index("\n"+asked.Detail, "\n--- ")
	if !asked.Diff || at < 0 {
		return asked.Detail, ""
	}
	return strings.TrimSuffix(asked.Detail[:at], "\n"), asked.Detail[at:]
}

// EditProposed lets the user edit the proposed change. If [Host.EditChange] can produce the
// resulting file, the user edits that file. Otherwise EditProposed calls its last parameter, which
// lets the user edit the diff. The returned answer rejects the proposal and asks for the edited
// version. The second result is false if the user changed nothing. The caller must release the
// terminal first.
func EditProposed(e *Engine, asked messages.Asked, edit func(string) (string, error)) (answer messages.Answer, edited bool, err error) {
	_, proposed := SplitProposal(asked)
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
