package tui

import (
	"fmt"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/keymap"
	"marvin/ui/lineedit"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// begin enters reading mode.
func (l *searchState) begin() {
	if len(l.view.Blocks) == 0 {
		l.say("There is nothing to read yet", canvas.HintTime)
		return
	}
	l.on = true
	l.window.MoveFocus(0)
}

func (l *searchState) stop() {
	l.on, l.wanted = false, ""
	l.window.Focus(nil)
}

func (l *searchState) fold() {
	block := l.window.Focused()
	if block == nil || !block.Foldable() {
		l.say("There is nothing to unfold in this block", canvas.HintTime)
		return
	}
	l.window.Toggle(block)
}

func (l *searchState) promptUp() {
	if !l.window.GoToPrompt(-1) {
		l.window.Home()
	}
}

// readingKey handles a key in reading mode. It returns false for keys that keep their usual action.
func (s *Screen) readingKey(name string, event *tcell.EventKey) bool {
	typed := name == ""
	if typed {
		name = canvas.Printable(event)
	}
	if s.act(keymap.Reading, name) != "" {
		return true
	}
	if typed {
		s.say(s.keys.First("stop-reading")+" goes back to the input", canvas.HintTime)
	}
	return typed
}

// find opens the search line.
func (l *searchState) find() {
	l.finding = &lineedit.Editor{}
	l.window.BeginFind()
}

// findKey handles a key while the search line is open. If the search line does not use the key,
// findKey closes the search line and returns false, so that the key has its usual effect.
func (l *searchState) findKey(name string, event *tcell.EventKey) bool {
	switch name {
	case "":
		l.finding.Insert(string(event.Rune()))
	case "Backspace", "Ctrl-H":
		l.finding.Backspace()
	case "Ctrl-U":
		l.finding.Clear()
	case "Up", "Ctrl-F", "Ctrl-P":
		l.next(-1)
		return true
	case "Down", "Ctrl-N":
		l.next(1)
		return true
	case "Enter":
		l.finding = nil
		if l.wanted != "" {
			l.on = true
			l.window.Focus(nil)
		}
		return true
	case "Esc", "Ctrl-C", "Ctrl-G":
		l.finding = nil
		if !l.on {
			l.wanted = ""
		}
		return true
	default:
		l.finding = nil
		return false
	}
	l.wanted = l.finding.Text()
	l.missed = l.wanted != "" && !l.window.Find(l.wanted, -1, false)
	l.count()
	return true
}

func (l *searchState) next(step int) {
	if l.wanted == "" {
		l.say("No search yet", canvas.HintTime)
		return
	}
	l.missed = !l.window.Find(l.wanted, step, true)
	l.count()
	if l.missed {
		l.say("“"+canvas.OneRow(l.wanted)+"” is nowhere", canvas.HintTime)
	}
}

// draw puts the search line above a row.
func (l *searchState) draw(bottom int) int {
	const label = "find: "
	typed := l.finding.Text()
	line := view.Line{{Role: view.System, Text: label + typed}}
	if l.missed {
		line = append(line, view.Span{Role: view.Problem, Text: "  nowhere"})
	} else {
		line = append(line, view.Span{Role: view.Faint, Text: "  " + l.position() + "↑ ↓ other matches · Enter: read from here · Esc: close"})
	}
	l.frame.Put(bottom-1, line)
	l.frame.Screen.ShowCursor(min(view.Width(label+typed), l.frame.Width-1), bottom-1)
	return 1
}

// count recomputes l.at and l.all.
func (l *searchState) count() {
	l.at, l.all = 0, 0
	if l.wanted != "" && !l.missed {
		l.at, l.all = l.window.Count(l.wanted)
	}
}

// position returns l.at and l.all as text, such as "3 of 7 · ".
func (l *searchState) position() string {
	switch {
	case l.all == 0:
		return ""
	case l.at == 0:
		return fmt.Sprintf("%d found · ", l.all)
	}
	return fmt.Sprintf("%d of %d · ", l.at, l.all)
}

// block returns the focused block, or else the block of the last answer. The result can be nil.
func (l *searchState) block() *view.Block {
	if block := l.window.Focused(); block != nil {
		return block
	}
	for i := len(l.view.Blocks) - 1; i >= 0; i-- {
		if l.view.Blocks[i].Kind == view.Answer {
			return l.view.Blocks[i]
		}
	}
	return nil
}
