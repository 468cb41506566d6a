package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/command"
	"marvin/ui/keymap"
	"marvin/ui/tui/internal/canvas"
)

// paste collects the characters of a bracketed paste. Each character arrives as a separate event,
// so a large paste causes hundreds of thousands of events. None of these events runs an action.
type paste struct{ text strings.Builder }

// terminal applies an event to the screen. If the terminal is closed, the result is
// [errTerminalGone].
func (s *Screen) terminal(event tcell.Event) error {
	switch event := event.(type) {
	case *tcell.EventError:
		return errTerminalGone
	case *tcell.EventResize:
		s.frame.Resize()
	case *tcell.EventPaste:
		s.pasting(event.Start())
	case *tcell.EventKey:
		if s.input.paste != nil {
			s.input.paste.take(event)
			return nil
		}
		s.key(event)
		s.frame.Dirty, s.frame.Soon = true, true
	case *tcell.EventMouse:
		s.mouse.handleMouse(event)
	case *tcell.EventFocus:
		if s.notify.unfocused = !event.Focused; event.Focused {
			refreshOnReturn(s)
		}
	}
	return nil
}

func (s *Screen) pasting(begins bool) {
	if begins {
		s.input.paste = &paste{}
		return
	}
	if s.input.paste == nil {
		return
	}
	text := s.input.paste.text.String()
	s.input.paste = nil
	s.input.past.search = nil
	if s.offer.open != nil {
		s.offer.leave(s.offer.open.typed)
	}
	if s.ask.Instead != nil {
		s.ask.Instead.Insert(canvas.OneRow(text))
	} else if s.secret.open != nil && s.ask.ID == "" {
		s.secret.insert(text)
	} else if s.review.open != nil {
		if s.review.open.Remark != nil {
			s.review.open.Remark.Insert(canvas.OneRow(text))
		}
	} else if s.picker.open != nil {
		s.picker.paste(canvas.OneRow(text))
	} else if s.look.finding != nil {
		s.look.finding.Insert(canvas.OneRow(text))
	} else if !command.PastedFile(s.engine, text, s.input.attach) {
		s.input.Paste(text)
	}
	s.input.draft.scheduleSave(false)
	s.frame.Dirty, s.frame.Soon = true, true
}

// attach inserts text into the input. If a chip is given, the input displays the chip instead of
// the text.
func (w *inputState) attach(text, chip string) {
	if chip == "" {
		w.Paste(text)
	} else {
		w.Attach(text, chip)
	}
	w.draft.scheduleSave(false)
	w.frame.Dirty, w.frame.Soon = true, true
}

// take appends the character of a key event to the paste.
func (p *paste) take(event *tcell.EventKey) {
	switch {
	case event.Key() == tcell.KeyRune:
		p.text.WriteRune(event.Rune())
	case event.Key() == tcell.KeyEnter || canvas.Chord(event) == "Ctrl-J":
		p.text.WriteByte('\n')
	case event.Key() == tcell.KeyTab:
		p.text.WriteByte('\t')
	}
}

// key sends a key press to the open panels and pages. If all of them return false, the input
// handles the key press.
func (s *Screen) key(event *tcell.EventKey) {
	name := canvas.Chord(event)
	before := s.ask.Typed
	s.mouse.selection.Unselect()
	s.ask.Typed = event.When()
	s.input.draft.scheduleSave(false)
	s.input.warned = s.hint.text == leaveHint && s.Now().Before(s.hint.ends)
	s.hint = hint{} // a key removes the hint
	switch {
	case s.ask.ID != "" && s.ask.Key(s.keys.Action(keymap.Typing, name), name, event, before),
		s.secret.open != nil && s.ask.ID == "" && s.secret.key(name, event),
		s.offer.open != nil && s.ask.ID == "" && s.offer.key(name, event),
		s.picker.open != nil && s.picker.key(name, event),
		s.review.open != nil && s.review.key(name, event),
		s.help.open != nil && s.help.key(name, event),
		s.look.finding != nil && s.look.findKey(name, event),
		s.input.past.search != nil && s.input.past.key(name, event),
		s.ask.ID == "" && s.look.on && s.readingKey(name, event),
		s.input.complete.open != nil && s.input.complete.key(name),
		commanding(s) && vimKey(s, name, event),
		s.ask.ID == "" && s.input.burst.key(s.keys.Action(keymap.Typing, name), name, event, before),
		s.input.vim != nil && vimKey(s, name, event):
		return
	}
	if name == "" {
		s.input.Insert(string(event.Rune()))
		s.input.complete.suggest()
		return
	}
	switch s.act(keymap.Typing, name) {
	case "":
	case "backspace", "undo", "redo", "kill-word-left":
		s.input.complete.suggest()
	case "complete":
	default:
		s.input.complete.open = nil
	}
}
