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
func (s *Screen) sheetKey(name string, event *tcell.EventKey) {
	page := s.ask.sheet.Page()
	rows := len(page.Options)
	if page.Free && rows > 0 {
		rows++
	}
	switch name {
	case "Esc":
		s.answer(messages.No)
	case "Up", "Shift-Up":
		s.ask.cursor = (s.ask.cursor + rows - 1) % max(rows, 1)
	case "Down", "Shift-Down":
		s.ask.cursor = (s.ask.cursor + 1) % max(rows, 1)
	case "Right", "Tab":
		s.turn(1)
	case "Left", "Shift-Tab":
		s.turn(-1)
	case "Enter":
		s.take(page.Several)
	case "":
		s.sheetRune(event.Rune())
	}
	s.ask.open()
}

func (s *Screen) sheetRune(key rune) {
	page := s.ask.sheet.Page()
	switch option := int(key - '1'); {
	case option >= 0 && option < min(len(page.Options), 9):
		s.ask.cursor = option
		s.mark()
	case key == ' ':
		s.mark()
	case page.Free && key > ' ':
		s.ask.instead = &lineedit.Editor{}
		s.ask.instead.Insert(string(key))
	}
}

// mark takes the option under the cursor, or its mark away.
func (s *Screen) mark() {
	page := s.ask.sheet.Page()
	if s.ask.cursor >= len(page.Options) {
		s.own()
		return
	}
	page.Toggle(s.ask.cursor)
	if !page.Several {
		s.next()
	}
}

// take is Enter: the marks as they are where several may be, else what the cursor is at.
func (s *Screen) take(several bool) {
	page := s.ask.sheet.Page()
	switch {
	case s.ask.cursor >= len(page.Options):
		s.own()
	case several && page.Answered():
		s.next()
	default:
		s.mark()
	}
}

// own lets the person answer in own words.
func (s *Screen) own() {
	s.ask.instead = &lineedit.Editor{}
	s.ask.instead.Insert(s.ask.sheet.Page().Own)
}

// write takes own words, or with none what is stated.
func (s *Screen) write(text string) {
	page := s.ask.sheet.Page()
	if err := page.Write(text); err != nil {
		s.say(err.Error(), hintTime)
		return
	}
	s.next()
}

// next goes on to the next page, or answers.
func (s *Screen) next() {
	sheet := s.ask.sheet
	if err := sheet.Page().Done(); err != nil {
		s.say(err.Error(), hintTime)
		return
	}
	if sheet.At+1 < len(sheet.Pages) {
		s.turn(1)
		return
	}
	for at := range sheet.Pages {
		if sheet.Pages[at].Done() != nil {
			s.turn(at - sheet.At)
			return
		}
	}
	s.decide(sheet.Answer())
}

// turn opens another page. What was written on this one stays.
func (s *Screen) turn(pages int) {
	sheet := s.ask.sheet
	if sheet == nil {
		return
	}
	if line := s.ask.instead; line != nil && strings.TrimSpace(line.Text()) != "" {
		if err := sheet.Page().Write(line.Text()); err != nil {
			s.say(err.Error(), hintTime)
			return
		}
	}
	sheet.At = max(min(sheet.At+pages, len(sheet.Pages)-1), 0)
	s.ask.top, s.ask.instead = 0, nil
	s.ask.place()
	s.ask.open()
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
