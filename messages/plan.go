package messages

import (
	"fmt"
	"strings"
)

// Plan is the checklist that a model works through. The zero Plan means that no checklist exists.
type Plan struct {
	Why   string `json:"why,omitempty"` // why the plan was changed
	Steps []Step `json:"steps,omitempty"`
}

// Step is one line of a [Plan]. Text contains no control characters.
type Step struct {
	Text   string     `json:"text"`
	Status StepStatus `json:"status"`
}

// StepStatus is the progress of a step.
type StepStatus string

// The statuses of a step. At most one step of a plan is in progress.
const (
	StepPending    StepStatus = "pending"
	StepInProgress StepStatus = "in_progress"
	StepDone       StepStatus = "done"
	StepCancelled  StepStatus = "cancelled"
)

// Finished reports whether the step is done or cancelled.
func (s Step) Finished() bool { return s.Status == StepDone || s.Status == StepCancelled }

// String returns the step as a line of a checklist, for the user and the model.
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

// Count returns the number of finished steps and the total number of steps.
func (p Plan) Count() (over, all int) {
	for _, step := range p.Steps {
		if step.Finished() {
			over++
		}
	}
	return over, len(p.Steps)
}

// Finished reports whether every step is done or cancelled. For an empty plan it returns true.
func (p Plan) Finished() bool {
	over, all := p.Count()
	return over == all
}

// currentStep returns the step in progress or, if there is none, the next pending step. It returns
// false if no step is left.
func (p Plan) currentStep() (Step, bool) {
	var next Step
	for _, step := range p.Steps {
		if step.Status == StepInProgress {
			return step, true
		}
		if next.Text == "" && !step.Finished() {
			next = step
		}
	}
	return next, next.Text != ""
}

// Short returns the plan in one line: its progress and the current step.
func (p Plan) Short() string {
	over, all := p.Count()
	now, left := p.currentStep()
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

// String returns the whole plan, one step per line.
func (p Plan) String() string {
	lines := make([]string, len(p.Steps))
	for i, step := range p.Steps {
		lines[i] = step.String()
	}
	return strings.Join(lines, "\n")
}
