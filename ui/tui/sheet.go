package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/lineedit"
)

// Questions with options, and forms: a page for each. A digit takes an option, letters
// begin an answer in own words.

// sheetKey takes a key of the open page.
func (q *questions) sheetKey(name string, event *tcell.EventKey) {
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
		q.turn(1)
	case "Left", "Shift-Tab":
		q.turn(-1)
	case "Enter":
		q.take(page.Several)
	case "":
		q.sheetRune(event.Rune())
	}
	q.open()
}

func (q *questions) sheetRune(key rune) {
	page := q.sheet.Page()
	switch option := int(key - '1'); {
	case option >= 0 && option < min(len(page.Options), 9):
		q.cursor = option
		q.mark()
	case key == ' ':
		q.mark()
	case page.Free && key > ' ':
		q.instead = &lineedit.Editor{}
		q.instead.Insert(string(key))
	}
}

// mark takes the option under the cursor, or its mark away.
func (q *questions) mark() {
	page := q.sheet.Page()
	if q.cursor >= len(page.Options) {
		q.own()
		return
	}
	page.Toggle(q.cursor)
	if !page.Several {
		q.next()
	}
}

// take is Enter: the marks as they are where several may be, else what the cursor is at.
func (q *questions) take(several bool) {
	page := q.sheet.Page()
	switch {
	case q.cursor >= len(page.Options):
		q.own()
	case several && page.Answered():
		q.next()
	default:
		q.mark()
	}
}

// own lets the person answer in own words.
func (q *questions) own() {
	q.instead = &lineedit.Editor{}
	q.instead.Insert(q.sheet.Page().Own)
}

// write takes own words, or with none what is stated.
func (q *questions) write(text string) {
	page := q.sheet.Page()
	if err := page.Write(text); err != nil {
		q.say(err.Error(), hintTime)
		return
	}
	q.next()
}

// next shows the next page, or answers.
func (q *questions) next() {
	sheet := q.sheet
	if err := sheet.Page().Done(); err != nil {
		q.say(err.Error(), hintTime)
		return
	}
	if sheet.At+1 < len(sheet.Pages) {
		q.turn(1)
		return
	}
	for at := range sheet.Pages {
		if sheet.Pages[at].Done() != nil {
			q.turn(at - sheet.At)
			return
		}
	}
	q.decide(sheet.Answer())
}

// turn opens another page. What was written on this one stays.
func (q *questions) turn(pages int) {
	sheet := q.sheet
	if sheet == nil {
		return
	}
	if line := q.instead; line != nil && strings.TrimSpace(line.Text()) != "" {
		if err := sheet.Page().Write(line.Text()); err != nil {
			q.say(err.Error(), hintTime)
			return
		}
	}
	sheet.At = max(min(sheet.At+pages, len(sheet.Pages)-1), 0)
	q.top, q.instead = 0, nil
	q.place()
	q.open()
}

// place puts the cursor on what is marked, else on what is recommended or stated.
func (q *question) place() {
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

// open lets the person write where a page has nothing to choose from.
func (q *question) open() {
	if q.sheet != nil && q.armed && q.instead == nil && len(q.sheet.Page().Options) == 0 {
		q.instead = &lineedit.Editor{}
		q.instead.Insert(q.sheet.Page().Own)
	}
}
