package messages

import (
	"fmt"
	"slices"
	"strings"
)

// Approval says which calls run without asking the user. It is a policy of a conversation that the
// user may change at any time; a change applies to later calls.
type Approval string

// The approval modes. Whatever the mode, what a rule of the user denies is never run.
const (
	ApproveAsk   Approval = "ask"   // everything that writes asks first
	ApproveEdits Approval = "edits" // edits run, commands ask; the default with a person
	ApproveAuto  Approval = "auto"  // all runs, commands in the sandbox if there is one; the default without a person
	ApproveAll   Approval = "all"   // all runs, in a sandbox or not, also what cannot be undone
	ApprovePlan  Approval = "plan"  // nothing writes
)

// Approvals lists the modes from the strictest.
func Approvals() []Approval {
	return []Approval{ApprovePlan, ApproveAsk, ApproveEdits, ApproveAuto, ApproveAll}
}

// Means is the mode in a few words for people.
func (a Approval) Means() string {
	switch a {
	case ApprovePlan:
		return "nothing writes; the model presents a plan"
	case ApproveAsk:
		return "everything that writes asks first"
	case ApproveEdits:
		return "edits run without asking; commands that change something ask first"
	case ApproveAuto:
		return "everything runs without asking, commands in the sandbox unless it is off; only what cannot be undone asks first"
	case ApproveAll:
		return "everything runs without asking, with or without a sandbox, even what cannot be undone"
	}
	return ""
}

// Next is the mode that the mode key selects. It never selects [ApproveAll], which must be typed,
// and selects [ApproveAuto] last.
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

// check refuses an unknown mode.
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
