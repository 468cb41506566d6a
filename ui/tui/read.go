package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/lineedit"
)

// hintTime is how long a hint stands.
const hintTime = 4 * time.Second

// read begins to go through the conversation by blocks.
func (s *Screen) read() {
	if len(s.view.Blocks) == 0 {
		s.say("There is nothing to read yet", hintTime)
		return
	}
	s.reading = true
	s.window.MoveFocus(0)
}

func (s *Screen) stopReading() {
	s.reading, s.wanted = false, ""
	s.window.Focus(nil)
}

func (s *Screen) foldFocused() {
	block := s.window.Focused()
	if block == nil || !block.Foldable() {
		s.say("There is nothing to unfold in this block", hintTime)
		return
	}
	s.window.Toggle(block)
}

func (s *Screen) promptUp() {
	if !s.window.Prompt(-1) {
		s.window.Home()
	}
}

// readingKey takes a key while reading. It reports false for one that does what it
// always does.
func (s *Screen) readingKey(name string, event *tcell.EventKey) bool {
	typed := name == ""
	if typed {
		name = printable(event)
	}
	if act := s.keys.actions[reading][name]; act != nil {
		act.do(s)
		return true
	}
	if typed {
		s.say(s.keys.keysOf("stop-reading")+" goes back to the input", hintTime)
	}
	return typed
}

// find asks for a text to find in the conversation.
func (s *Screen) find() {
	s.finding = &lineedit.Editor{}
	s.window.BeginFind()
}

// findKey takes a key while a text to find is typed. It reports false for one that
// ends that and then does what it always does.
func (s *Screen) findKey(name string, event *tcell.EventKey) bool {
	switch name {
	case "":
		s.finding.Insert(string(event.Rune()))
	case "Backspace", "Ctrl-H":
		s.finding.Backspace()
	case "Ctrl-U":
		s.finding.Clear()
	case "Up", "Ctrl-F", "Ctrl-P":
		s.findNext(-1)
		return true
	case "Down", "Ctrl-N":
		s.findNext(1)
		return true
	case "Enter":
		s.finding = nil
		if s.wanted != "" {
			s.reading = true
			s.window.Focus(nil)
		}
		return true
	case "Esc", "Ctrl-C", "Ctrl-G":
		s.finding = nil
		if !s.reading {
			s.wanted = ""
		}
		return true
	default:
		s.finding = nil
		return false
	}
	s.wanted = s.finding.Text()
	s.missed = s.wanted != "" && !s.window.Find(s.wanted, -1, false)
	return true
}

func (s *Screen) findNext(step int) {
	if s.wanted == "" {
		s.say("Nothing was looked for yet", hintTime)
		return
	}
	s.missed = !s.window.Find(s.wanted, step, true)
	if s.missed {
		s.say("“"+oneRow(s.wanted)+"” is nowhere", hintTime)
	}
}
