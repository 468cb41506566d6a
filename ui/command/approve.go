package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/ui/slash"
)

type permissions struct{ *Env }

// approve tells the user the approval mode, or changes the mode.
func (p permissions) approve(wish string) {
	mode := messages.Approval(strings.ToLower(wish))
	switch {
	case wish == "":
		p.say(p.approvals())
	case !slices.Contains(messages.Approvals(), mode):
		p.warn(fmt.Sprintf("There is no approval mode %q.\n%s", wish, p.approvals()))
	default:
		p.ask("change the approval mode", messages.SetApproval{Mode: mode})
	}
}

// approvals describes all approval modes and marks the current mode.
func (p permissions) approvals() string {
	var text strings.Builder
	text.WriteString("Approval modes (/approve MODE changes the mode):\n")
	for _, mode := range messages.Approvals() {
		mark := " "
		if mode == p.Talk.Approval {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s %-6s %s\n", mark, mode, mode.Description())
	}
	text.WriteString("In every mode, Marvin refuses calls that your rules deny, and asks before calls that match a rule under \"ask\".")
	return text.String()
}

// next selects the next approval mode.
func (p permissions) next() {
	if p.Talk.Approval != "" {
		p.ask("change the approval mode", messages.SetApproval{Mode: p.Talk.Approval.Next()})
	}
}

func (p permissions) take(text string) {
	word, rest := slash.CutWord(text)
	number, err := strconv.Atoi(rest)
	switch {
	case text == "":
		p.list()
	case strings.EqualFold(word, "revoke") && err == nil && number > 0:
		p.ask("take it back", messages.Revoke{Grant: number})
	default:
		p.warn("Usage: /permissions lists the permissions, /permissions revoke N revokes number N.")
	}
}

func (p permissions) list() {
	mode := p.Talk.Approval
	var text strings.Builder
	fmt.Fprintf(&text, "Approval mode %s: %s (/approve changes it)\n", mode, mode.Description())
	if len(p.Talk.Grants) == 0 {
		text.WriteString("Always allowed in this conversation: nothing\n")
	} else {
		text.WriteString("Always allowed in this conversation (/permissions revoke N revokes one):\n")
	}
	for _, grant := range p.Talk.Grants {
		fmt.Fprintf(&text, "  %d. %s\n", grant.Number, grant.Covers)
	}
	p.runOutside("look at the permissions", func(ctx context.Context) func() {
		rest := p.Host.Permissions(ctx)
		return func() { p.say(text.String() + rest) }
	})
}
