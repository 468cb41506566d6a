package tui

import (
	"context"
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/command"
	"marvin/ui/lineedit"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// pickers are the lists to choose from; one is open at a time.
type pickers struct {
	frame  *canvas.Canvas
	beside func(work func() (then func()))
	prompt func(text string) // puts text into the prompt
	open   *picker           // nil for none
}

// picker is a list that covers the transcript, with a search line instead of the input. The unsent
// text stays.
type picker struct {
	command.Pick
	query lineedit.Editor
	seek  seek
}

// seek is the search that runs beside the loop, one at a time.
type seek struct {
	stop           context.CancelFunc // nil if none runs
	matched, asked string             // the query it was done for: in the items, and in the conversations
	enter          bool               // Enter was pressed before what is typed was found
}

// show opens a list.
func (p *pickers) show(pick command.Pick) {
	p.close(true) // what was open is left
	p.open = &picker{Pick: pick}
	p.open.List.Find("")
	p.frame.Dirty, p.frame.Soon = true, true
	p.fill()
}

// fill has what comes later in the list, once it is there.
func (p *pickers) fill() {
	open := p.open
	if open.Later != nil {
		p.beside(func() func() {
			items := open.Later()
			return func() {
				if p.open == open {
					open.List.Replace(items())
					p.frame.Dirty = true
				}
			}
		})
	}
	if open.Source != nil {
		open.List.Attach(open.Source, nil)
	}
}

func blank(query string) bool { return strings.TrimSpace(query) == "" }

// close closes it. Left says that nothing was chosen.
func (p *pickers) close(left bool) {
	open := p.open
	p.open = nil
	if open == nil {
		return
	}
	if open.seek.stop != nil {
		open.seek.stop()
	}
	if left && open.Left != nil {
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
	case "", "Backspace", "Ctrl-H", "Ctrl-W", "Alt-Backspace", "Ctrl-U":
		query.Key(name, event.Rune())
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
		p.enter()
		return true
	}
	p.find()
	return true
}

func (p *pickers) paste(text string) {
	p.open.query.Insert(text)
	p.find()
}

// enter chooses what the cursor is at. What is typed may not be found yet: then it is chosen
// as soon as it is.
func (p *pickers) enter() {
	open := p.open
	index, ok := open.List.Chosen()
	if open.Source != nil && open.more(ok) {
		open.seek.enter = true
		return
	}
	if !ok {
		return
	}
	p.close(false)
	if open.Source == nil {
		open.Chosen(index)
		return
	}
	open.Source.Chosen(index)
}

// more says whether what is typed may be found yet, if something was or if nothing was.
func (o *picker) more(found bool) bool {
	query := o.List.Query()
	return !blank(query) && (o.seek.matched != query || !found && o.saidToo(query))
}

// leastLooked is how many bytes of a query are worth a look at all that was said.
const leastLooked = 3

// saidToo says whether what was said has to be looked through for a query.
func (o *picker) saidToo(query string) bool {
	return o.seek.asked != query && len(strings.TrimSpace(query)) >= leastLooked
}

// find narrows the list to what is typed, if that is another text.
func (p *pickers) find() {
	if text := p.open.query.Text(); text != p.open.List.Query() {
		if p.open.List.Find(text); p.open.ToPrompt && p.open.List.Len() == 0 {
			p.close(false)
			p.prompt(text)
			return
		}
		p.open.seek.matched, p.open.seek.asked, p.open.seek.enter = "", "", false
		p.moved()
		p.look()
	}
}

// look searches beside the loop: first in the list, then in the conversations. It cancels the
// search for an older query.
func (p *pickers) look() {
	open, source := p.open, p.open.Source
	query := open.List.Query()
	switch {
	case open.seek.stop != nil:
		open.seek.stop() // and then this is called again
	case source == nil || blank(query):
	case open.seek.matched != query:
		p.lookFor(func(ctx context.Context) []int { return view.Matches(ctx, source, query) }, func(found []int) {
			open.seek.matched = query
			open.List.Attach(source, found)
			p.moved()
		})
	case open.saidToo(query):
		p.lookFor(func(ctx context.Context) []int { return source.About(ctx, query) }, func(found []int) {
			open.seek.asked = query
			open.List.Also(found)
		})
	}
}

// lookFor does one look, and then what follows if nothing else was typed meanwhile.
func (p *pickers) lookFor(look func(context.Context) []int, then func(found []int)) {
	open := p.open
	ctx, stop := context.WithCancel(context.Background())
	open.seek.stop = stop
	p.beside(func() func() {
		found := look(ctx)
		return func() {
			current := ctx.Err() == nil
			stop()
			open.seek.stop = nil
			if p.open != open {
				return
			}
			if current {
				then(found)
				p.frame.Dirty = true
			}
			if open.seek.enter {
				open.seek.enter = false
				p.enter()
			}
			if p.open == open {
				p.look()
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
	for i, row := range p.open.List.Rows(p.frame.Width-1, p.frame.Page) {
		p.frame.Put(1+i, row)
	}
}

// drawInput draws the line of the search above a row and says how many rows it took.
func (p *pickers) drawInput(bottom int) int {
	const label = "search: "
	rows, row, column := p.open.query.Rows(max(p.frame.Width-view.Width(label), 2))
	p.frame.Put(bottom-1, view.Line{{Role: view.System, Text: label}, {Role: view.Plain, Text: rows[row].Text}})
	p.frame.Screen.ShowCursor(min(view.Width(label)+column, p.frame.Width-1), bottom-1)
	return 1
}
