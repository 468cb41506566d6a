package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/command"
	"marvin/ui/lineedit"
	"marvin/ui/view"
)

// picker is a list in the place of the transcript, with a line to search it in the place
// of the input. What was being typed stays where it is.
type picker struct {
	command.Pick
	query   lineedit.Editor
	looking bool // a search runs beside the loop
}

// pick opens a list. One that is open already is left.
func (s *Screen) pick(pick command.Pick) {
	s.closePicker(true)
	s.input.completion, s.overlay, s.input.search = nil, nil, nil
	s.picker = &picker{Pick: pick}
	s.picker.List.Find("")
	s.frame.dirty, s.frame.soon = true, true
	pickerFill(s)
}

// pickerFill has what comes later in the list, once it is there.
func pickerFill(s *Screen) {
	open := s.picker
	if open.Later == nil {
		return
	}
	apart(s, func() func() {
		items := open.Later()
		return func() {
			if s.picker == open {
				open.List.Replace(items())
				s.frame.dirty = true
			}
		}
	})
}

// closePicker closes it. Left says that nothing was chosen.
func (s *Screen) closePicker(left bool) {
	open := s.picker
	s.picker = nil
	if open != nil && left && open.Left != nil {
		open.Left()
	}
}

// pickerKey takes a key while a list is open. It reports false for what ends the program
// or looks after the terminal.
func (s *Screen) pickerKey(name string, event *tcell.EventKey) bool {
	query, list := &s.picker.query, &s.picker.List
	switch name {
	case "Ctrl-Q", "Ctrl-Z", "Ctrl-L":
		return false
	case "":
		query.Insert(string(event.Rune()))
	case "Backspace", "Ctrl-H":
		query.Backspace()
	case "Ctrl-W", "Alt-Backspace":
		query.KillWordLeft()
	case "Ctrl-U":
		query.Clear()
	case "Up", "Ctrl-P", "Shift-Tab":
		s.pickerMove(-1)
	case "Down", "Ctrl-N", "Tab":
		s.pickerMove(1)
	case "PgUp":
		s.pickerMove(-max(list.Page(), 2))
	case "PgDn":
		s.pickerMove(max(list.Page(), 2))
	case "Home":
		s.pickerMove(-max(list.Len(), 2))
	case "End":
		s.pickerMove(max(list.Len(), 2))
	case "Esc", "Ctrl-C", "Ctrl-G", "Ctrl-D":
		s.closePicker(true)
		return true
	case "Enter":
		if index, ok := list.Chosen(); ok {
			chosen := s.picker.Chosen
			s.closePicker(false)
			chosen(index)
		}
		return true
	}
	s.pickerFind()
	return true
}

func (s *Screen) pickerPaste(text string) {
	s.picker.query.Insert(text)
	s.pickerFind()
}

// pickerFind narrows the list to what is typed, if that is another text.
func (s *Screen) pickerFind() {
	if text := s.picker.query.Text(); text != s.picker.List.Query() {
		s.picker.List.Find(text)
		s.pickerMoved()
		pickerLook(s)
	}
}

// leastLooked is how many bytes of a query are worth a look at all that was said.
const leastLooked = 3

// pickerLook looks for more beside the loop, for one query at a time: what was typed
// meanwhile is looked for behind it.
func pickerLook(s *Screen) {
	open := s.picker
	query := open.List.Query()
	if open.Search == nil || open.looking || len(strings.TrimSpace(query)) < leastLooked {
		return
	}
	open.looking = true
	apart(s, func() func() {
		found := open.Search(query)
		return func() {
			open.looking = false
			switch {
			case s.picker != open:
			case open.List.Query() != query:
				pickerLook(s)
			default:
				open.List.Also(found)
				s.frame.dirty = true
			}
		}
	})
}

func (s *Screen) pickerMove(rows int) {
	s.picker.List.Move(rows)
	s.pickerMoved()
}

func (s *Screen) pickerMoved() {
	if index, ok := s.picker.List.Chosen(); ok && s.picker.Moved != nil {
		s.picker.Moved(index)
	}
}

func (s *Screen) drawPicker() {
	for i, row := range s.picker.List.Rows(s.frame.width-1, s.frame.page) {
		s.put(1+i, row)
	}
}

// drawPickerInput draws the line of the search above a row and says how many rows it took.
func (s *Screen) drawPickerInput(bottom int) int {
	const label = "search: "
	rows, row, column := s.picker.query.Rows(max(s.frame.width-view.Width(label), 2))
	s.put(bottom-1, view.Line{{Role: view.System, Text: label}, {Role: view.Plain, Text: rows[row].Text}})
	s.screen.ShowCursor(min(view.Width(label)+column, s.frame.width-1), bottom-1)
	return 1
}
