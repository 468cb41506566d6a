package question

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
)

// label returns the label of the free-text line.
func (q *Question) label() string {
	switch {
	case q.sheet != nil:
		return "answer: "
	case q.Asked.Kind == messages.AskPlan:
		return "change: "
	}
	return "instead: "
}

// The user types instructions for a refused call, or a free-text answer, on a separate line.
// Therefore, the input keeps an unsent prompt.

// insteadKey handles a key press in the free-text line. It always returns true, because no key
// keeps its usual action.
func (q *Panel) insteadKey(name string, event *tcell.EventKey) bool {
	line := q.Instead
	switch name {
	case "Enter":
		if text := strings.TrimSpace(line.Text()); q.sheet != nil {
			q.takeOwnAnswer(text)
		} else if text != "" {
			q.Decide(messages.Answer{Ask: q.ID, Choice: messages.No, Text: text})
		}
	case "Esc", "Ctrl-G":
		q.Instead = nil
		if q.sheet != nil && len(q.sheet.Page().Options) == 0 {
			q.answer(messages.No)
		}
	case "Up", "Shift-Tab":
		q.turnPage(-1)
	case "Down", "Tab":
		q.turnPage(1)
	default:
		line.Key(name, event.Rune())
	}
	return true
}

// DrawInstead draws the free-text line and returns the line's height in rows. The line replaces the
// input on the screen.
func (q *Panel) DrawInstead(bottom int) int {
	return q.Frame.PutTyped(bottom, q.label(), q.Instead)
}
