package ui

import (
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui/termsafe"
)

// PlanProgress describes a plan in one line.
func PlanProgress(plan messages.Plan) string {
	if len(plan.Steps) == 0 {
		return "given up"
	}
	return termsafe.Line(plan.Short())
}

// PlanChange describes how a plan changed. If both versions have the same steps, the text lists the
// newly finished steps. Otherwise it lists all remaining steps.
func PlanChange(before, after messages.Plan) string {
	lines := []string{PlanProgress(after)}
	if after.Why != "" {
		lines[0] += " (" + termsafe.Line(after.Why) + ")"
	}
	same := slices.EqualFunc(before.Steps, after.Steps, func(a, b messages.Step) bool { return a.Text == b.Text })
	for i, step := range after.Steps {
		if same && step.Finished() && !before.Steps[i].Finished() || !same && !step.Finished() {
			lines = append(lines, "  "+termsafe.Line(step.String()))
		}
	}
	return strings.Join(lines, "\n")
}
