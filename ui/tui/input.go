package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"
)

// paste gathers what a bracketed paste brings: one event a character, up to hundreds
// of thousands, none of which is a command.
type paste struct{ text strings.Builder }

// wheelRows is what one notch of the wheel moves.
const wheelRows = 3

// terminal takes an event of the terminal. It fails when there is none any more.
func (s *Screen) terminal(event tcell.Event, events chan tcell.Event) error {
	switch event := event.(type) {
	case *tcell.EventError:
		return errTerminalGone
	case *tcell.EventResize:
		s.width, s.height = event.Size()
		s.screen.Sync()
		s.dirty, s.soon = true, true
	case *tcell.EventPaste:
		s.pasting(event.Start())
	case *tcell.EventKey:
		if s.paste != nil {
			s.pasted(event)
			return nil
		}
		s.key(event)
		s.dirty, s.soon = true, true
	case *tcell.EventMouse:
		s.wheel(event.Buttons())
	}
	return nil
}

func (s *Screen) pasting(begins bool) {
	if begins {
		s.paste = &paste{}
		return
	}
	if s.paste == nil {
		return
	}
	text := s.paste.text.String()
	s.paste = nil
	s.search = nil
	s.input.Paste(text)
	s.dirty, s.soon = true, true
}

func (s *Screen) pasted(event *tcell.EventKey) {
	switch {
	case event.Key() == tcell.KeyRune:
		s.paste.text.WriteRune(event.Rune())
	case event.Key() == tcell.KeyEnter || chord(event) == "Ctrl-J":
		s.paste.text.WriteByte('\n')
	case event.Key() == tcell.KeyTab:
		s.paste.text.WriteByte('\t')
	}
}

// key takes a key that was typed: for the open question, the search, or the input.
func (s *Screen) key(event *tcell.EventKey) {
	name := chord(event)
	before := s.lastKey
	s.lastKey = event.When()
	if s.ask.id != "" && s.questionKey(name, event, before) {
		return
	}
	if s.search != nil && s.searchKey(name, event) {
		return
	}
	if name == "" {
		s.input.Insert(string(event.Rune()))
		return
	}
	if act := actions[bindings[name]]; act != nil {
		act(s)
	}
}

func (s *Screen) wheel(buttons tcell.ButtonMask) {
	rows := 0
	switch {
	case buttons&tcell.WheelUp != 0:
		rows = -wheelRows
	case buttons&tcell.WheelDown != 0:
		rows = wheelRows
	default:
		return
	}
	if s.ask.id != "" {
		s.ask.scroll(rows)
	} else {
		s.window.Scroll(rows)
	}
	s.dirty, s.soon = true, true
}
