package messages

import (
	"fmt"
	"strings"
)

// Plan is the checklist that a model works by. The zero value is none.
type Plan struct {
	Why   string `json:"why,omitempty"` // it is another one than before
	Steps []Step `json:"steps,omitempty"`
}

// Step is one line of a [Plan], free of control characters.
type Step struct {
	Text   string     `json:"text"`
	Status StepStatus `json:"status"`
}

// StepStatus is how far a step is.
type StepStatus string

// The statuses of a step. At most one step of a plan is in progress.
const (
	StepPending    StepStatus = "pending"
	StepInProgress StepStatus = "in_progress"
	StepDone       StepStatus = "done"
	StepCancelled  StepStatus = "cancelled"
)

// Over says that nothing of the step is left to do.
func (s Step) Over() bool { return s.Status == StepDone || s.Status == StepCancelled }

// String is the step as people and models read it.
func (s Step) String() string {
	switch s.Status {
	case StepDone:
		return "[x] " + s.Text
	case StepInProgress:
		return "[>] " + s.Text
	case StepCancelled:
		return "[-] " + s.Text
	}
	return "[ ] " + s.Text
}

// Count says how many steps are over, of how many.
func (p Plan) Count() (over, all int) {
	for _, step := range p.Steps {
		if step.Over() {
			over++
		}
	}
	return over, len(p.Steps)
}

// Over reports whether nothing of the plan is left to do. An empty plan is over.
func (p Plan) Over() bool {
	over, all := p.Count()
	return over == all
}

// now is the step in progress, or else the next one; false if nothing is left.
func (p Plan) now() (Step, bool) {
	var next Step
	for _, step := range p.Steps {
		if step.Status == StepInProgress {
			return step, true
		}
		if next.Text == "" && !step.Over() {
			next = step
		}
	}
	return next, next.Text != ""
}

// Short is the plan in one line: how far it is, and what is done now.
func (p Plan) Short() string {
	over, all := p.Count()
	now, left := p.now()
	switch {
	case left:
	case all == 1:
		return "its only step is finished"
	default:
		return fmt.Sprintf("all %d steps are finished", all)
	}
	word := "next"
	if now.Status == StepInProgress {
		word = "now"
	}
	return fmt.Sprintf("%d of %d · %s: %s", over, all, word, now.Text)
}

// String is the whole plan, a step a line.
func (p Plan) String() string {
	lines := make([]string, len(p.Steps))
	for i, step := range p.Steps {
		lines[i] = step.String()
	}
	return strings.Join(lines, "\n")
}
