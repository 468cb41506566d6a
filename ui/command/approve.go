package command

import (
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
)

// approve says what runs unasked, or changes it.
func (e *Engine) approve(wish string) {
	mode := messages.Approval(strings.ToLower(wish))
	switch {
	case wish == "":
		e.say(e.approvals())
	case !slices.Contains(messages.Approvals(), mode):
		e.warn(fmt.Sprintf("There is no approval mode %q.\n%s", wish, e.approvals()))
	default:
		e.ask("change the approval mode", messages.SetApproval{Mode: mode})
	}
}

// approvals lists the modes, the present one marked.
func (e *Engine) approvals() string {
	var text strings.Builder
	text.WriteString("Approval modes (/approve MODE changes it):\n")
	for _, mode := range messages.Approvals() {
		mark := " "
		if mode == e.state.approval {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s %-6s %s\n", mark, mode, mode.Means())
	}
	text.WriteString("Whatever the mode: what your rules deny is never run, and what they ask about is asked about.")
	return text.String()
}

// NextApproval goes to the next approval mode, for a key.
func (e *Engine) NextApproval() {
	if e.state.approval != "" {
		e.ask("change the approval mode", messages.SetApproval{Mode: e.state.approval.Next()})
	}
}
