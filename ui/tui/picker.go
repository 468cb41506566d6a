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

// pickers contains the open [picker], if any. Only one picker is open at a time.
type pickers struct {
	frame  *canvas.Canvas
	beside func(work func() (then func()))
	prompt func(text string) // inserts text into the prompt
	open   *picker           // nil for none
}

// picker is a list that hides the transcript. The list's search line hides the input, whose unsent
// text is kept.
type picker struct {
	command.Pick
	query lineedit.Editor
	seek  seek
}

// seek is the state of a list's search, which runs outside the loop. Only one search runs at a
// time.
type seek struct {
	stop context.CancelFunc // cancels the running search; nil if no search is running
	// These are the queries of the finished list search and of the finished conversation search.
	matched, asked string
	enter          bool // Enter was pressed before the search was finished
}

// show opens a list and closes any other list.
func (p *pickers) show(pick command.Pick) {
	p.close(true)
	p.open = &picker{Pick: pick}
	p.open.List.Find("")
	p.frame.Dirty, p.frame.Soon = true, true
	p.fill()
}

// fill invokes [command.Pick.Later] in the background to replace the open list's items. It attaches
// [command.Pick.Source] at once.
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

// key applies a key press to the open list. For keys that end the program or manage the terminal,
// the result is false.
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

// enter chooses the item at the cursor. If the list may be incomplete, enter defers the choice
// until the search ends.
func (p *pickers) enter() {
	open := p.open
	index, ok := open.List.Chosen()
	if open.Source != nil && open.mayFindMore(ok) {
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

// mayFindMore reports whether the search can still find items. found is true if the list already
// contains an item.
func (o *picker) mayFindMore(found bool) bool {
	query := o.List.Query()
	return !blank(query) && (o.seek.matched != query || !found && o.searchesConversations(query))
}

// minQueryLength is the minimum length, in bytes, of a query for the conversation search.
const minQueryLength = 3

// searchesConversations reports whether a conversation search is due.
func (o *picker) searchesConversations(query string) bool {
	return o.seek.asked != query && len(strings.TrimSpace(query)) >= minQueryLength
}

// find applies a changed query to the list.
func (p *pickers) find() {
	if text := p.open.query.Text(); text != p.open.List.Query() {
		if p.open.List.Find(text); p.open.ToPrompt && p.open.List.Len() == 0 {
			p.close(false)
			p.prompt(text)
			return
		}
		p.open.seek.matched, p.open.seek.asked, p.open.seek.enter = "", "", false
		p.reportMove()
		p.startSearch()
	}
}

// startSearch starts the list search or, once that search has finished, the conversation search. If
// a search is running, startSearch only cancels the running search.
func (p *pickers) startSearch() {
	open, source := p.open, p.open.Source
	query := open.List.Query()
	switch {
	case open.seek.stop != nil:
		open.seek.stop() // the canceled search calls startSearch again
	case source == nil || blank(query):
	case open.seek.matched != query:
		p.runSearch(func(ctx context.Context) []int { return view.Matches(ctx, source, query) }, func(found []int) {
			open.seek.matched = query
			open.List.Attach(source, found)
			p.reportMove()
		})
	case open.searchesConversations(query):
		p.runSearch(func(ctx context.Context) []int { return source.About(ctx, query) }, func(found []int) {
			open.seek.asked = query
			open.List.AppendMatches(found)
		})
	}
}

// runSearch searches outside the loop, and reports the result in the loop. If the search was
// canceled or the list was closed, runSearch reports nothing.
func (p *pickers) runSearch(find func(context.Context) []int, report func(found []int)) {
	open := p.open
	ctx, stop := context.WithCancel(context.Background())
	open.seek.stop = stop
	p.beside(func() func() {
		found := find(ctx)
		return func() {
			current := ctx.Err() == nil
			stop()
			open.seek.stop = nil
			if p.open != open {
				return
			}
			if current {
				report(found)
				p.frame.Dirty = true
			}
			if open.seek.enter {
				open.seek.enter = false
				p.enter()
			}
			if p.open == open {
				p.startSearch()
			}
		}
	})
}

func (p *pickers) move(rows int) {
	p.open.List.Move(rows)
	p.reportMove()
}

func (p *pickers) reportMove() {
	if index, ok := p.open.List.Chosen(); ok && p.open.Moved != nil {
		p.open.Moved(index)
	}
}
