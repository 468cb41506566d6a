package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/view"
)

// label stands in front of that line.
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
func (s *Screen) insteadKey(name string, event *tcell.EventKey) bool {
	line := s.ask.instead
	switch name {
	case "":
		line.Insert(string(event.Rune()))
	case "Enter":
		if text := strings.TrimSpace(line.Text()); s.ask.sheet != nil {
			s.write(text)
		} else if text != "" {
			s.decide(messages.Answer{Ask: s.ask.id, Choice: messages.No, Text: text})
		}
	case "Esc", "Ctrl-G":
		s.ask.instead = nil
		if s.ask.sheet != nil && len(s.ask.sheet.Page().Options) == 0 {
			s.answer(messages.No)
		}
	case "Up", "Shift-Tab":
		s.turn(-1)
	case "Down", "Tab":
		s.turn(1)
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

// drawInstead draws that line in the place of the input and says how many rows it took.
func (s *Screen) drawInstead(bottom int) int {
	label := s.ask.label()
	rows, row, column := s.ask.instead.Rows(max(s.frame.width-view.Width(label), 2))
	s.put(bottom-1, view.Line{{Role: view.System, Text: label}, {Role: view.Plain, Text: rows[row].Text}})
	s.screen.ShowCursor(min(view.Width(label)+column, s.frame.width-1), bottom-1)
	return 1
}
