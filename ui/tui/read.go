package tui

import (
	"fmt"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/keymap"
	"marvin/ui/lineedit"
	"marvin/ui/view"
)

// hintTime is how long a hint stands.
const hintTime = 4 * time.Second

// read begins to go through the conversation by blocks.
func (s *Screen) read() {
	if len(s.view.Blocks) == 0 {
		s.say("There is nothing to read yet", hintTime)
		return
	}
	s.look.on = true
	s.window.MoveFocus(0)
}

func (s *Screen) stopReading() {
	s.look.on, s.look.wanted = false, ""
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
	if s.act(keymap.Reading, name) != "" {
		return true
	}
	if typed {
		s.say(s.keys.First("stop-reading")+" goes back to the input", hintTime)
	}
	return typed
}

// find asks for a text to find in the conversation.
func (s *Screen) find() {
	s.look.finding = &lineedit.Editor{}
	s.window.BeginFind()
}

// findKey takes a key while a text to find is typed. It reports false for one that
// ends that and then does what it always does.
func (s *Screen) findKey(name string, event *tcell.EventKey) bool {
	switch name {
	case "":
		s.look.finding.Insert(string(event.Rune()))
	case "Backspace", "Ctrl-H":
		s.look.finding.Backspace()
	case "Ctrl-U":
		s.look.finding.Clear()
	case "Up", "Ctrl-F", "Ctrl-P":
		s.findNext(-1)
		return true
	case "Down", "Ctrl-N":
		s.findNext(1)
		return true
	case "Enter":
		s.look.finding = nil
		if s.look.wanted != "" {
			s.look.on = true
			s.window.Focus(nil)
		}
		return true
	case "Esc", "Ctrl-C", "Ctrl-G":
		s.look.finding = nil
		if !s.look.on {
			s.look.wanted = ""
		}
		return true
	default:
		s.look.finding = nil
		return false
	}
	s.look.wanted = s.look.finding.Text()
	s.look.missed = s.look.wanted != "" && !s.window.Find(s.look.wanted, -1, false)
	s.counted()
	return true
}

func (s *Screen) findNext(step int) {
	if s.look.wanted == "" {
		s.say("Nothing was looked for yet", hintTime)
		return
	}
	s.look.missed = !s.window.Find(s.look.wanted, step, true)
	s.counted()
	if s.look.missed {
		s.say("“"+oneRow(s.look.wanted)+"” is nowhere", hintTime)
	}
}

// drawFind draws the line of what is looked for above a row.
func (s *Screen) drawFind(bottom int) int {
	const label = "find: "
	typed := s.look.finding.Text()
	line := view.Line{{Role: view.System, Text: label + typed}}
	if s.look.missed {
		line = append(line, view.Span{Role: view.Problem, Text: "  nowhere"})
	} else {
		line = append(line, view.Span{Role: view.Faint, Text: "  " + s.look.position() + "↑ ↓ go on · Enter reads there · Esc ends"})
	}
	s.frame.put(bottom-1, line)
	s.screen.ShowCursor(min(view.Width(label+typed), s.frame.width-1), bottom-1)
	return 1
}

// counted notes which of how many is shown.
func (s *Screen) counted() {
	s.look.at, s.look.all = 0, 0
	if s.look.wanted != "" && !s.look.missed {
		s.look.at, s.look.all = s.window.Count(s.look.wanted)
	}
}

// position is that for people.
func (l *looking) position() string {
	switch {
	case l.all == 0:
		return ""
	case l.at == 0:
		return fmt.Sprintf("%d found · ", l.all)
	}
	return fmt.Sprintf("%d of %d · ", l.at, l.all)
}
