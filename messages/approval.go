package messages

import (
	"fmt"
	"slices"
	"strings"
)

// Approval says what runs without a person having looked at it. It is a policy of a
// conversation, which a person may change at any moment: it holds for the calls that are
// judged from then on.
type Approval string

// The approval modes. Whatever the mode, what a rule of the user denies is never run.
const (
	ApproveAsk   Approval = "ask"   // everything that writes asks
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
		return "everything that writes asks"
	case ApproveEdits:
		return "edits of files run, commands ask"
	case ApproveAuto:
		return "all runs unasked, commands in the sandbox unless it is off; what cannot be undone asks"
	case ApproveAll:
		return "all runs unasked, in the sandbox or without one, also what cannot be undone"
	}
	return ""
}

// Next is the mode that the key for it goes to. It never gets to [ApproveAll], which
// somebody has to spell out, and passes [ApproveAuto] last.
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

// check refuses what is no mode: a misspelt one would be another one.
func (a Approval) check() error {
	if slices.Contains(Approvals(), a) {
		return nil
	}
	names := make([]string, 0, 5)
	for _, mode := range Approvals() {
		names = append(names, string(mode))
	}
	return fmt.Errorf("mode %q is unknown; it is one of %s", a, strings.Join(names, ", "))
}
