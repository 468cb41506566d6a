package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
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
		if mode == e.Talk.Approval {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s %-6s %s\n", mark, mode, mode.Means())
	}
	text.WriteString("Whatever the mode: what your rules deny is never run, and what they ask about is asked about.")
	return text.String()
}

// NextApproval goes to the next approval mode, for a key.
func (e *Engine) NextApproval() {
	if e.Talk.Approval != "" {
		e.ask("change the approval mode", messages.SetApproval{Mode: e.Talk.Approval.Next()})
	}
}

// permissions says what runs unasked and why, or takes back what was allowed.
func (e *Engine) permissions(text string) {
	word, rest := cutWord(text)
	number, err := strconv.Atoi(rest)
	switch {
	case text == "":
		e.listPermissions()
	case strings.EqualFold(word, "revoke") && err == nil && number > 0:
		e.ask("take it back", messages.Revoke{Grant: number})
	default:
		e.warn("Usage: /permissions lists what is allowed, /permissions revoke N takes the one of that number back.")
	}
}

func (e *Engine) hooks(string) {
	e.beside("list the hooks", func(ctx context.Context) func() {
		list := e.Host.Hooks(ctx)
		return func() { e.say(list) }
	})
}

func (e *Engine) listPermissions() {
	mode := e.Talk.Approval
	var text strings.Builder
	fmt.Fprintf(&text, "Approval mode: %s, %s (/approve changes it)\n", mode, mode.Means())
	if len(e.Talk.Grants) == 0 {
		text.WriteString("Always allowed in this conversation: nothing\n")
	} else {
		text.WriteString("Always allowed in this conversation (/permissions revoke N takes one back):\n")
	}
	for _, grant := range e.Talk.Grants {
		fmt.Fprintf(&text, "  %d. %s\n", grant.Number, grant.Covers)
	}
	e.beside("look at the permissions", func(ctx context.Context) func() {
		rest := e.Host.Permissions(ctx)
		return func() { e.say(text.String() + rest) }
	})
}
