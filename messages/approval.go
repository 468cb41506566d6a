package messages

import (
	"fmt"
	"slices"
	"strings"
)

// Approval is a conversation's approval mode, which determines the calls that need the user's
// consent. A new mode applies only to later calls.
type Approval string

// The approval modes. In every mode, Marvin refuses calls that the user's rules deny.
const (
	ApproveAsk Approval = "ask" // Marvin asks before each call that writes
	// Marvin asks before commands that change something, but not before file edits. "edits" is the
	// default if a user is present.
	ApproveEdits Approval = "edits"
	// Marvin asks only before calls that cannot be undone, and uses the sandbox if one exists.
	// "auto" is the default if no user is present.
	ApproveAuto Approval = "auto"
	// Marvin does not ask, even before calls that cannot be undone. Commands can run without a
	// sandbox.
	ApproveAll  Approval = "all"
	ApprovePlan Approval = "plan" // Marvin refuses calls that write
)

// Approvals returns the modes, strictest first.
func Approvals() []Approval {
	return []Approval{ApprovePlan, ApproveAsk, ApproveEdits, ApproveAuto, ApproveAll}
}

// Description returns a short explanation of the approval mode.
func (a Approval) Description() string {
	switch a {
	case ApprovePlan:
		return "no tool may write; the model presents a plan"
	case ApproveAsk:
		return "Marvin asks before every call that writes"
	case ApproveEdits:
		return "edits run without asking; commands that change something need your approval"
	case ApproveAuto:
		return "Marvin asks only before actions that cannot be undone; commands run in the sandbox unless it is off"
	case ApproveAll:
		return "everything runs without asking, with or without a sandbox, even what cannot be undone"
	}
	return ""
}

// Next returns the mode that the mode key selects after the current mode. The key cycles through
// plan, ask, auto and edits. The key never selects [ApproveAll], which the user must type.
func (a Approval) Next() Approval {
	switch a {
	case ApproveEdits:
		return ApprovePlan
	case ApprovePlan:
		return ApproveAsk
	case ApproveAsk:
		return ApproveAuto
	}
	return ApproveEdits
}

func (a Approval) check() error {
	if slices.Contains(Approvals(), a) {
		return nil
	}
	names := make([]string, 0, 5)
	for _, mode := range Approvals() {
		names = append(names, string(mode))
	}
	return fmt.Errorf("mode %q is unknown; choose one of %s", a, strings.Join(names, ", "))
}
