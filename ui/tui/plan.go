package tui

import (
	"fmt"

	"marvin/messages"
	"marvin/ui/conversation"
	"marvin/ui/keymap"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/tui/internal/question"
	"marvin/ui/view"
)

// planSize is the size of the plan above the input.
type planSize uint8

// showPlan cycles through these sizes.
const (
	planSmall planSize = iota // the current step and a few of the next steps
	planWhole                 // as many steps as fit
	planLine
	planSizes
)

// smallPlan is the number of steps in a small plan.
const smallPlan = 4

// planPanel is the plan above the input.
type planPanel struct {
	talk  *conversation.State
	ask   *question.Panel
	frame *canvas.Canvas
	keys  *keymap.Map
	size  planSize
	kept  bool // the plan is shown between turns
}

// showPlan selects the next size of the plan during a turn. Between turns, showPlan shows or hides
// the plan.
func showPlan(s *Screen) {
	if len(s.view.Plan.Steps) == 0 {
		s.say("There is no plan; the model makes one for work with several steps", canvas.HintTime)
		return
	}
	if !s.view.Turn.Running {
		s.plan.kept = !s.plan.kept
		return
	}
	s.plan.size = (s.plan.size + 1) % planSizes
}

// next describes the effect of the plan's key.
func (p *planPanel) next() string {
	switch {
	case !p.talk.Turn.Running:
		return "hides the plan"
	case p.size == planSmall:
		return "shows all steps"
	case p.size == planWhole:
		return "shows one line"
	}
	return "shows the next steps"
}

// stale is true if the plan is hidden. During a turn, only a finished plan is hidden. Between
// turns, the plan is hidden unless the user keeps it open.
func (p *planPanel) stale() bool {
	if p.talk.Turn.Running {
		p.kept = false
		return p.talk.Plan.Finished()
	}
	return !p.kept
}

// draw puts the plan directly above the given row, and returns the number of rows drawn. During a
// question or on a small screen, it draws at most one row.
func (p *planPanel) draw(bottom int) int {
	plan := p.talk.Plan
	if len(plan.Steps) == 0 || bottom < 4 || p.stale() {
		return 0
	}
	size, room := p.size, max(p.frame.Height/3, 2)
	if p.kept {
		size = planWhole
	}
	if p.ask.ID != "" || p.frame.Height < 12 {
		size = planLine
	}
	rows := planRows(plan, size, room)
	hint := "  " + p.keys.First("plan") + " " + p.next()
	if p.frame.Width < 60 {
		hint = "  " + p.keys.First("plan")
	}
	for i, row := range rows {
		width := p.frame.Width
		if i == 0 {
			width = max(p.frame.Width-view.Width(hint), 1)
		}
		line := view.Line{{Role: row.Role, Text: view.Cut(termsafe.Line(row.Text), width)}}
		if i == 0 && p.frame.Width > 40 {
			line = append(line, view.Span{Role: view.Faint, Text: hint})
		}
		p.frame.Put(bottom-len(rows)+i, line)
	}
	return len(rows)
}

// planRows returns the rows of the plan. It leaves out the finished steps if size is planSmall or
// if there is no room for all steps. The first row shows the number of finished steps.
func planRows(plan messages.Plan, size planSize, room int) []view.Span {
	over, all := plan.Count()
	if over == all && size != planWhole || size == planLine {
		return []view.Span{{Role: view.System, Text: "Plan: " + plan.Short()}}
	}
	rows := []view.Span{{Role: view.System, Text: fmt.Sprintf("Plan %d of %d", over, all)}}
	if plan.Why != "" {
		rows[0].Text += " · " + plan.Why
	}
	room -= len(rows)
	if size == planSmall {
		room = min(room, smallPlan)
	}
	steps := plan.Steps
	if size == planSmall || len(steps) > room {
		steps = nil
		for _, step := range plan.Steps {
			if !step.Finished() {
				steps = append(steps, step)
			}
		}
	}
	shown := steps
	if len(steps) > room {
		shown = stepsAround(steps, max(room-1, 1))
	}
	for _, step := range shown {
		rows = append(rows, stepRow(step))
	}
	if left := len(steps) - len(shown); left > 0 {
		rows = append(rows, view.Span{Role: view.Faint, Text: fmt.Sprintf("  … %d more", left)})
	}
	return rows
}

// stepsAround returns the given number of consecutive steps, including the step in progress if
// there is one.
func stepsAround(steps []messages.Step, count int) []messages.Step {
	first := 0
	for i, step := range steps {
		if step.Status == messages.StepInProgress && i >= count {
			first = i - count + 1
		}
	}
	return steps[first : first+count]
}

func stepRow(step messages.Step) view.Span {
	switch step.Status {
	case messages.StepInProgress:
		return view.Span{Role: view.Strong, Text: "  ▸ " + step.Text}
	case messages.StepDone:
		return view.Span{Role: view.Faint, Text: "  ✓ " + step.Text}
	case messages.StepCancelled:
		return view.Span{Role: view.Faint, Text: "  – " + step.Text}
	}
	return view.Span{Role: view.Plain, Text: "  · " + step.Text}
}
