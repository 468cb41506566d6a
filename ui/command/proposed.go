package command

import (
	"strings"

	"marvin/messages"
)

// SplitProposal splits the detail of a question into the reason and the unified diff. If there is
// no diff, diff is "".
func SplitProposal(asked messages.Asked) (why, diff string) {
	at := strings.Index("\n"+asked.Detail, "\n--- ")
	if !asked.Diff || at < 0 {
		return asked.Detail, ""
	}
	return strings.TrimSuffix(asked.Detail[:at], "\n"), asked.Detail[at:]
}

// EditProposed lets the user edit a proposed change. If [Host.EditChange] does not support the
// diff, EditProposed calls editDiff. The answer rejects the proposed change and requests the edited
// change. If the user changed nothing, edited is false. The caller must release the terminal first.
func EditProposed(e *Engine, asked messages.Asked, editDiff func(string) (string, error)) (answer messages.Answer, edited bool, err error) {
	_, proposed := SplitProposal(asked)
	wanted, known := "", false
	if e.Host != nil {
		wanted, known, err = e.Host.EditChange(proposed, e.Talk.Dir)
	}
	if !known && err == nil {
		wanted, err = editDiff(proposed)
	}
	if err != nil || strings.TrimSpace(wanted) == strings.TrimSpace(proposed) || strings.TrimSpace(wanted) == "" {
		return messages.Answer{}, false, err
	}
	return messages.Answer{Ask: asked.Ask, Choice: messages.No, Text: "Make the change like this instead:\n" + wanted}, true, nil
}
