package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/view"
)

// label is the prompt before that line.
func (q *question) label() string {
	switch {
	case q.sheet != nil:
		return "answer: "
	case q.asked.Kind == messages.AskPlan:
		return "change: "
	}
	return "instead: "
}

// A no that says what to do instead is typed into a line of its own, so that what was
// being written when the question came stays where it is.

// insteadKey takes a key of that line. It reports false for what ends the turn or the
// program.
func (q *questions) insteadKey(name string, event *tcell.EventKey) bool {
	line := q.instead
	switch name {
	case "":
		line.Insert(string(event.Rune()))
	case "Enter":
		if text := strings.TrimSpace(line.Text()); q.sheet != nil {
			q.write(text)
		} else if text != "" {
			q.decide(messages.Answer{Ask: q.id, Choice: messages.No, Text: text})
		}
	case "Esc", "Ctrl-G":
		q.instead = nil
		if q.sheet != nil && len(q.sheet.Page().Options) == 0 {
			q.answer(messages.No)
		}
	case "Up", "Shift-Tab":
		q.turn(-1)
	case "Down", "Tab":
		q.turn(1)
	case "Backspace", "Ctrl-H":
		line.Backspace()
	case "Delete":
		line.Delete()
	case "Left", "Ctrl-B":
		line.Left()
	case "Right":
		line.Right()
	case "Home", "Ctrl-A":
		line.LineStart()
	case "End", "Ctrl-E":
		line.LineEnd()
	case "Ctrl-U":
		line.Clear()
	case "Ctrl-W", "Alt-Backspace":
		line.KillWordLeft()
	}
	return true
}

// drawInstead draws that line instead of the input and returns its height in rows.
func (q *questions) drawInstead(bottom int) int {
	label := q.label()
	rows, row, column := q.instead.Rows(max(q.frame.width-view.Width(label), 2))
	q.frame.put(bottom-1, view.Line{{Role: view.System, Text: label}, {Role: view.Plain, Text: rows[row].Text}})
	q.frame.screen.ShowCursor(min(view.Width(label)+column, q.frame.width-1), bottom-1)
	return 1
}
