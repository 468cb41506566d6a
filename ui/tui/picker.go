package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/command"
	"marvin/ui/lineedit"
	"marvin/ui/view"
)

// pickers are the lists that the person chooses from, of which one is open at a time.
type pickers struct {
	frame  *frame
	beside func(work func() (then func()))
	open   *picker // nil for none
}

// picker is a list in the place of the transcript, with a line to search it in the place
// of the input. What was being typed stays where it is.
type picker struct {
	command.Pick
	query   lineedit.Editor
	looking bool // a search runs beside the loop
}

// show opens a list.
func (p *pickers) show(pick command.Pick) {
	p.open = &picker{Pick: pick}
	p.open.List.Find("")
	p.frame.dirty, p.frame.soon = true, true
	p.fill()
}

// fill has what comes later in the list, once it is there.
func (p *pickers) fill() {
	open := p.open
	if open.Later == nil {
		return
	}
	p.beside(func() func() {
		items := open.Later()
		return func() {
			if p.open == open {
				open.List.Replace(items())
				p.look() // what a search found before was about other items
				p.frame.dirty = true
			}
		}
	})
}

// close closes it. Left says that nothing was chosen.
func (p *pickers) close(left bool) {
	open := p.open
	p.open = nil
	if open != nil && left && open.Left != nil {
		open.Left()
	}
}

// key takes a key while a list is open. It reports false for what ends the program
// or looks after the terminal.
func (p *pickers) key(name string, event *tcell.EventKey) bool {
	query, list := &p.open.query, &p.open.List
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
		p.move(-1)
	case "Down", "Ctrl-N", "Tab":
		p.move(1)
	case "PgUp":
		p.move(-max(list.Page(), 2))
	case "PgDn":
		p.move(max(list.Page(), 2))
	case "Home":
		p.move(-max(list.Len(), 2))
	case "End":
		p.move(max(list.Len(), 2))
	case "Esc", "Ctrl-C", "Ctrl-G", "Ctrl-D":
		p.close(true)
		return true
	case "Enter":
		if index, ok := list.Chosen(); ok {
			chosen := p.open.Chosen
			p.close(false)
			chosen(index)
		}
		return true
	}
	p.find()
	return true
}

func (p *pickers) paste(text string) {
	p.open.query.Insert(text)
	p.find()
}

// find narrows the list to what is typed, if that is another text.
func (p *pickers) find() {
	if text := p.open.query.Text(); text != p.open.List.Query() {
		p.open.List.Find(text)
		p.moved()
		p.look()
	}
}

// leastLooked is how many bytes of a query are worth a look at all that was said.
const leastLooked = 3

// look looks for more beside the loop, for one query at a time: what was typed
// meanwhile is looked for behind it.
func (p *pickers) look() {
	open := p.open
	query := open.List.Query()
	if open.Search == nil || open.looking || len(strings.TrimSpace(query)) < leastLooked {
		return
	}
	open.looking = true
	p.beside(func() func() {
		found := open.Search(query)
		return func() {
			open.looking = false
			switch {
			case p.open != open:
			case open.List.Query() != query:
				p.look()
			default:
				open.List.Also(found)
				p.frame.dirty = true
			}
		}
	})
}

func (p *pickers) move(rows int) {
	p.open.List.Move(rows)
	p.moved()
}

func (p *pickers) moved() {
	if index, ok := p.open.List.Chosen(); ok && p.open.Moved != nil {
		p.open.Moved(index)
	}
}

func (p *pickers) draw() {
	for i, row := range p.open.List.Rows(p.frame.width-1, p.frame.page) {
		p.frame.put(1+i, row)
	}
}

// drawInput draws the line of the search above a row and says how many rows it took.
func (p *pickers) drawInput(bottom int) int {
	const label = "search: "
	rows, row, column := p.open.query.Rows(max(p.frame.width-view.Width(label), 2))
	p.frame.put(bottom-1, view.Line{{Role: view.System, Text: label}, {Role: view.Plain, Text: rows[row].Text}})
	p.frame.screen.ShowCursor(min(view.Width(label)+column, p.frame.width-1), bottom-1)
	return 1
}
