package ui_test

import (
	"testing"

	"marvin/messages"
	"marvin/ui"
)

func steps(marks string, texts ...string) messages.Plan {
	var plan messages.Plan
	for i, text := range texts {
		status := map[byte]messages.StepStatus{'x': messages.StepDone, '>': messages.StepInProgress, ' ': messages.StepPending, '-': messages.StepCancelled}[marks[i]]
		plan.Steps = append(plan.Steps, messages.Step{Text: text, Status: status})
	}
	return plan
}

// Printed lines show the changes of a plan, and never a step twice.
func TestPlanSummary(t *testing.T) {
	began, went, other := steps("> ", "look", "mend"), steps("x>", "look", "mend"), steps("x-> ", "look", "mend", "test\x1b[2J", "tell")
	other.Why = "it is\nwhole"
	for _, one := range []struct {
		before, after messages.Plan
		want          string
	}{
		{messages.Plan{}, began, "0 of 2 · now: look\n  [>] look\n  [ ] mend"},
		{began, went, "1 of 2 · now: mend\n  [x] look"},
		{went, other, "2 of 4 · now: test[2J (it is whole)\n  [>] test[2J\n  [ ] tell"},
		{went, steps("xx", "look", "mend"), "all 2 steps are finished\n  [x] mend"},
		{began, messages.Plan{}, "given up"},
	} {
		if got := ui.PlanChange(one.before, one.after); got != one.want {
			t.Errorf("%q, want %q", got, one.want)
		}
	}
}
