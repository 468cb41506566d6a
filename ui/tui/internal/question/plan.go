package question

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/lineedit"
	"marvin/ui/view"
)

// planKey handles a key while the panel shows a plan.
func (q *Panel) planKey(name string, event *tcell.EventKey) {
	switch name {
	case "Esc":
		q.answer(messages.No)
	case "Enter":
		if q.chosen < 0 {
			q.Say("Press e, a, c or n, or choose with the arrows", 3*time.Second)
			return
		}
		q.planAnswer(planOptions[q.chosen].key)
	case "Right", "Tab":
		q.chosen = (q.chosen + 1) % len(planOptions)
	case "Left", "Shift-Tab":
		q.chosen = (max(q.chosen, 0) + len(planOptions) - 1) % len(planOptions)
	case "":
		q.planAnswer(event.Rune())
	}
}

// planOptions lists the possible answers to a plan.
var planOptions = []struct {
	key  rune
	text string
}{{'e', "[e] yes, allow all edits"}, {'a', "[a] yes, ask before edits"}, {'c', "[c]hange"}, {'n', "[n]o"}}

func (q *Panel) planAnswer(key rune) {
	accept := func(mode messages.Approval) {
		if !q.Unread() {
			q.Decide(messages.Answer{Ask: q.ID, Choice: messages.Yes, Mode: mode})
		}
	}
	switch key {
	case 'e', 'E', 'y', 'Y':
		accept(messages.ApproveEdits)
	case 'a', 'A':
		accept(messages.ApproveAsk)
	case 'c', 'C', 'i', 'I':
		q.Instead = &lineedit.Editor{}
	case 'n', 'N':
		q.answer(messages.No)
	}
}

func (q *Question) planChoices(width int) view.Line {
	role := view.Plain
	if !q.Armed {
		role = view.Faint
	}
	var line view.Line
	if !q.read {
		line = append(line, view.Span{Role: view.System, Text: " Read to the end first: PgDn "})
	}
	for i, option := range planOptions {
		if i == q.chosen {
			line = append(line, view.Span{Role: view.Assistant, Text: "▸" + option.text + " "})
		} else {
			line = append(line, view.Span{Role: role, Text: " " + option.text + " "})
		}
	}
	return view.Fold(line, width)[0]
}
