package question

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/lineedit"
	"marvin/ui/tui/internal/canvas"
)

// Each question with options has its own page, and so does each field of a form. A digit selects an
// option, and letters begin an answer in the user's own words.

// sheetKey handles a key on the open page.
func (q *Panel) sheetKey(name string, event *tcell.EventKey) {
	page := q.sheet.Page()
	rows := len(page.Options)
	if page.Free && rows > 0 {
		rows++
	}
	switch name {
	case "Esc":
		q.answer(messages.No)
	case "Up", "Shift-Up":
		q.cursor = (q.cursor + rows - 1) % max(rows, 1)
	case "Down", "Shift-Down":
		q.cursor = (q.cursor + 1) % max(rows, 1)
	case "Right", "Tab":
		q.turnPage(1)
	case "Left", "Shift-Tab":
		q.turnPage(-1)
	case "Enter":
		q.take(page.Several)
	case "":
		q.sheetRune(event.Rune())
	}
	q.Open()
}

func (q *Panel) sheetRune(key rune) {
	page := q.sheet.Page()
	switch option := int(key - '1'); {
	case option >= 0 && option < min(len(page.Options), 9):
		q.cursor = option
		q.toggleOption()
	case key == ' ':
		q.toggleOption()
	case page.Free && key > ' ':
		q.Instead = &lineedit.Editor{}
		q.Instead.Insert(string(key))
	}
}

func (q *Panel) toggleOption() {
	page := q.sheet.Page()
	if q.cursor >= len(page.Options) {
		q.openOwnAnswer()
		return
	}
	page.Toggle(q.cursor)
	if !page.Several {
		q.next()
	}
}

// take responds to the Enter key. If several options can be chosen, the key marks an option only if
// the page has no answer.
func (q *Panel) take(several bool) {
	page := q.sheet.Page()
	switch {
	case q.cursor >= len(page.Options):
		q.openOwnAnswer()
	case several && page.Answered():
		q.next()
	default:
		q.toggleOption()
	}
}

// openOwnAnswer opens the free-text line.
func (q *Panel) openOwnAnswer() {
	q.Instead = &lineedit.Editor{}
	q.Instead.Insert(q.sheet.Page().Own)
}

// takeOwnAnswer stores the user's free-text answer and calls q.next.
func (q *Panel) takeOwnAnswer(text string) {
	page := q.sheet.Page()
	if err := page.Write(text); err != nil {
		q.Say(err.Error(), canvas.HintTime)
		return
	}
	q.next()
}

// next opens the next page or, after the last page, sends the answers. Instead of sending
// incomplete answers, it opens the first page that lacks a required answer.
func (q *Panel) next() {
	sheet := q.sheet
	if err := sheet.Page().CheckRequired(); err != nil {
		q.Say(err.Error(), canvas.HintTime)
		return
	}
	if sheet.At+1 < len(sheet.Pages) {
		q.turnPage(1)
		return
	}
	for at := range sheet.Pages {
		if sheet.Pages[at].CheckRequired() != nil {
			q.turnPage(at - sheet.At)
			return
		}
	}
	q.Decide(sheet.Answer())
}

// turnPage stores the typed answer and opens another page. If the answer is invalid, the current
// page stays open.
func (q *Panel) turnPage(pages int) {
	sheet := q.sheet
	if sheet == nil {
		return
	}
	if line := q.Instead; line != nil && strings.TrimSpace(line.Text()) != "" {
		if err := sheet.Page().Write(line.Text()); err != nil {
			q.Say(err.Error(), canvas.HintTime)
			return
		}
	}
	sheet.At = max(min(sheet.At+pages, len(sheet.Pages)-1), 0)
	q.top, q.Instead = 0, nil
	q.place()
	q.Open()
}

// place puts the cursor on the marked option or, if no option is marked, on the first recommended
// or default option.
func (q *Question) place() {
	q.cursor = 0
	if q.sheet == nil {
		return
	}
	page := q.sheet.Page()
	for i, option := range page.Options {
		if option.Recommended || option.Label == page.Stated {
			q.cursor = i
			break
		}
	}
	for i, marked := range page.Marked {
		if marked {
			q.cursor = i
		}
	}
}

// Open opens the free-text line on a page without options. While the question ignores keys, Open
// does nothing.
func (q *Question) Open() {
	if q.sheet != nil && q.Armed && q.Instead == nil && len(q.sheet.Page().Options) == 0 {
		q.Instead = &lineedit.Editor{}
		q.Instead.Insert(q.sheet.Page().Own)
	}
}
